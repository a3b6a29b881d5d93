/** What test files may take. A raised line needs its reason in the commit. */

/**
 * Seconds on the wall in a run of all stages, on a machine with two cores and nothing else to do. A file by
 * itself takes less: the stages share the cores.
 */
export interface TimeBudget {
  /** Files that have a line of their own: all of a lab and of a browser, and the slow ones else. */
  readonly named: Readonly<Record<string, number>>;
  /** Any other file of the stage unit. */
  readonly unit: number;
}

// The times of a whole run of a fresh clone (1,356 s), rounded up to five seconds. What came later has the
// author's estimate; agent-day has saved the 40 s of a test that loaded each screen. The matrix, batch and
// add-a-resource are scaled by the processor time that they take alone, before and after they became cheaper.
export const timeBudget: TimeBudget = {
  named: {
    "lab/src/lab-life.test.ts": 10,
    "lab/src/lab.test.ts": 15,
    "lab/src/ping.test.ts": 5,
    "lab/src/requirements.test.ts": 5,
    "lab/src/services.test.ts": 5,
    "lab/src/spec.test.ts": 5,
    "apps/edge/src/drivers/machine.test.ts": 45,
    "apps/edge/src/drivers/path-mtu.test.ts": 65,
    "apps/edge/src/drivers/line-edits.test.ts": 40,
    "apps/edge/src/drivers/isolation/detour.test.ts": 30,
    "apps/edge/src/drivers/firewall/isolation.test.ts": 65,
    "apps/edge/src/drivers/firewall/limits.test.ts": 25,
    "apps/edge/src/drivers/firewall/port-maps.test.ts": 35,
    "apps/edge/src/drivers/firewall/foreign.test.ts": 20,
    "apps/edge/src/drivers/firewall/flows.test.ts": 45,
    "apps/edge/src/drivers/central.test.ts": 25,
    "apps/edge/src/packaging.test.ts": 15,
    "apps/edge/src/drivers/isolation/isolation.test.ts": 45,
    "e2e/lab/journey.test.ts": 40,
    "e2e/lab/mobile.test.ts": 120,
    "e2e/lab/overlay.test.ts": 70,
    "e2e/lab/revert.test.ts": 200,
    "e2e/lab/site-life.test.ts": 90,
    "e2e/lab/tenants.test.ts": 25,
    "e2e/src/agent-day.test.ts": 160,
    "e2e/src/alarms.test.ts": 45,
    "e2e/src/calls.test.ts": 40,
    "e2e/src/crud.test.ts": 245,
    "e2e/src/login.test.ts": 35,
    "e2e/src/notices.test.ts": 35,
    "e2e/src/start.test.ts": 95,
    "e2e/src/template.test.ts": 50,
    "e2e/src/crawl.test.ts": 430,
    "e2e/shared/axe.test.ts": 45,
    "e2e/shared/circuits.test.ts": 40,
    "e2e/shared/cpe-transfer.test.ts": 15,
    "e2e/shared/device-screens.test.ts": 20,
    "e2e/shared/entry.test.ts": 25,
    "e2e/shared/forms.test.ts": 35,
    "e2e/shared/keyboard.test.ts": 60,
    "e2e/shared/motion.test.ts": 40,
    "e2e/shared/notice-panel.test.ts": 15,
    "e2e/shared/pager.test.ts": 35,
    "e2e/shared/palette.test.ts": 30,
    "e2e/shared/records.test.ts": 25,
    "e2e/shared/reports.test.ts": 35,
    "e2e/shared/routes-menus.test.ts": 30,
    "e2e/shared/routes.test.ts": 50,
    "e2e/shared/settings.test.ts": 40,
    "e2e/shared/shell.test.ts": 45,
    "e2e/shared/speed.test.ts": 40,
    "e2e/shared/stale-edit.test.ts": 25,
    "e2e/shared/tabs.test.ts": 30,
    "tools/src/add-a-resource.test.ts": 65,
    "sim/src/sim.test.ts": 25,
    "apps/edge/src/drivers/link-edits.test.ts": 100,
    "apps/controller/src/db/embedded/open.test.ts": 35,
    "apps/controller/src/domains/access/record/export.test.ts": 15,
    "apps/controller/src/metrics-store/roll-ups.test.ts": 25,
    "apps/controller/test/batch.test.ts": 70,
    "apps/controller/test/export-memory.test.ts": 75,
    "apps/controller/test/hostile.test.ts": 45,
    "apps/controller/test/matrix-agent.test.ts": 120,
    "apps/controller/test/matrix-controller.test.ts": 125,
    "apps/controller/test/matrix-enterprise.test.ts": 90,
    "apps/controller/test/policy.test.ts": 15,
    "apps/controller/test/process.test.ts": 20,
    "apps/controller/test/restore-drill.test.ts": 50,
    "apps/controller/test/rotated-keys.test.ts": 60,
    "apps/controller/test/shared-keys.test.ts": 50,
    "apps/controller/test/start.test.ts": 210,
    "apps/controller/test/resources.test.ts": 35,
    "apps/controller/src/domains/notifications/alarm/fleet.test.ts": 30,
    "apps/controller/test/matrix.test.ts": 25,
    "apps/controller/src/backup/restore.test.ts": 25,
  },
  unit: 10,
};
