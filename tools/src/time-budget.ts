/** What test files may take. A raised line needs its reason in the commit. */

/** Seconds on the wall, of a machine with two cores and nothing else to do. */
export interface TimeBudget {
  /** Files that have a line of their own: all of a lab and of a browser, and the slow ones else. */
  readonly named: Readonly<Record<string, number>>;
  /** Any other file of the stage unit. */
  readonly unit: number;
}

// Of labs and browsers by estimate, before a whole run in this arrangement: its lines set them right. Of
// the stage unit by processor time, which was measured of each file beside other work.
export const timeBudget: TimeBudget = {
  named: {
    "lab/src/lab-life.test.ts": 20,
    "lab/src/lab.test.ts": 20,
    "lab/src/ping.test.ts": 5,
    "lab/src/requirements.test.ts": 5,
    "lab/src/services.test.ts": 20,
    "lab/src/spec.test.ts": 5,
    "apps/edge/src/drivers/machine.test.ts": 60,
    "apps/edge/src/drivers/path-mtu.test.ts": 65,
    "apps/edge/src/drivers/line-edits.test.ts": 60,
    "apps/edge/src/drivers/isolation/detour.test.ts": 20,
    "apps/edge/src/drivers/firewall/isolation.test.ts": 60,
    "apps/edge/src/drivers/isolation/isolation.test.ts": 75,
    "e2e/lab/journey.test.ts": 90,
    "e2e/lab/mobile.test.ts": 150,
    "e2e/lab/overlay.test.ts": 90,
    "e2e/lab/revert.test.ts": 240,
    "e2e/lab/tenants.test.ts": 60,
    "e2e/src/agent-day.test.ts": 200,
    "e2e/src/alarms.test.ts": 110,
    "e2e/src/calls.test.ts": 100,
    "e2e/src/crud.test.ts": 200,
    "e2e/src/login.test.ts": 60,
    "e2e/src/notices.test.ts": 70,
    "e2e/src/start.test.ts": 60,
    "e2e/src/template.test.ts": 110,
    "e2e/src/crawl.test.ts": 330,
    "e2e/shared/axe.test.ts": 40,
    "e2e/shared/circuits.test.ts": 15,
    "e2e/shared/cpe-transfer.test.ts": 15,
    "e2e/shared/device-screens.test.ts": 40,
    "e2e/shared/entry.test.ts": 25,
    "e2e/shared/forms.test.ts": 25,
    "e2e/shared/keyboard.test.ts": 45,
    "e2e/shared/motion.test.ts": 25,
    "e2e/shared/notice-panel.test.ts": 20,
    "e2e/shared/pager.test.ts": 20,
    "e2e/shared/palette.test.ts": 20,
    "e2e/shared/reports.test.ts": 30,
    "e2e/shared/routes-menus.test.ts": 30,
    "e2e/shared/routes.test.ts": 50,
    "e2e/shared/settings.test.ts": 45,
    "e2e/shared/shell.test.ts": 40,
    "e2e/shared/speed.test.ts": 25,
    "e2e/shared/stale-edit.test.ts": 20,
    "e2e/shared/tabs.test.ts": 25,
    "tools/src/add-a-resource.test.ts": 60,
    "sim/src/sim.test.ts": 25,
    "apps/edge/src/drivers/link-edits.test.ts": 60,
    "apps/controller/src/db/embedded/open.test.ts": 30,
    "apps/controller/src/domains/access/record/export.test.ts": 20,
    "apps/controller/src/metrics-store/roll-ups.test.ts": 20,
    "apps/controller/test/batch.test.ts": 40,
    "apps/controller/test/export-memory.test.ts": 30,
    "apps/controller/test/hostile.test.ts": 35,
    "apps/controller/test/matrix-agent.test.ts": 45,
    "apps/controller/test/matrix-controller.test.ts": 45,
    "apps/controller/test/matrix-enterprise.test.ts": 45,
    "apps/controller/test/policy.test.ts": 15,
    "apps/controller/test/process.test.ts": 15,
    "apps/controller/test/restore-drill.test.ts": 40,
    "apps/controller/test/shared-keys.test.ts": 30,
    "apps/controller/test/start.test.ts": 70,
  },
  unit: 10,
};
