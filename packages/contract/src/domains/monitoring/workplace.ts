/** What the first screen shows (screens.md, "Workplace"): trouble first, all of it in scope. */

import { z } from "zod";
import { screens } from "#contract/access.ts";
import { inBoth } from "#domains/access/record.ts";
import { toneCounts } from "#domains/devices/health.ts";
import { alarmLevels } from "#domains/notifications/enums.ts";
import { heatCell, rootCause } from "#domains/notifications/root-cause.ts";
import { rolloutStates } from "#domains/templates/rollout.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, readsMetrics } from "#kernel/endpoint.ts";
import * as money from "#rules/money.ts";
import { expiring } from "./expiring.ts";

const reading = z.number().nullable();

export const workplace = readsMetrics(
  endpoint({
    id: "dashboard.workplace",
    method: "GET",
    path: "/customer/dashboard/workplace",
    input: z.object({
      /** Causes of sites with a link to this POP, and over this carrier; all else stays as it is. */
      popId: codec.orNull(codec.id),
      isp: codec.orNull(codec.text(32)),
    }),
    output: z.object({
      counts: z.object({
        enterprise: z.number(),
        cpe: z.number(),
        cpeOnline: z.number(),
        /** CPEs that were never seen. */
        cpeUnseen: z.number(),
        cpeTones: toneCounts,
        pop: z.number(),
        popOnline: z.number(),
        popTones: toneCounts,
        link: z.number(),
        linkUp: z.number(),
        netSpace: z.number(),
      }),
      /** bit/s over all lines of the CPEs in scope, 24 hours; empty: there is no store of metrics. */
      traffic: z.array(z.object({ time: codec.instant, inRate: reading, outRate: reading })),
      /** What is wrong now, the worst first; the first twelve of `causeCount`. */
      causes: z.array(rootCause),
      causeCount: z.number(),
      /** POPs and carriers with most trouble first, and the cells that exist. */
      heat: z.object({
        pops: z.array(z.object({ id: z.number(), name: z.string() })),
        carriers: z.array(z.string()),
        cells: z.array(heatCell),
      }),
      /** Open alarms by severity, critical first, and those of them that no one has acknowledged. */
      alarms: z.array(
        z.object({ level: codec.code(alarmLevels), open: z.number(), waiting: z.number() }),
      ),
      /** Due within the days that the caller's enterprise counts as soon, the first eight. */
      expiring: z.array(expiring),
      /** Deliveries that are under way, by state. */
      tasks: z.object({ waiting: z.number(), pulled: z.number(), failed: z.number() }),
      /** Templates that go out in waves and are not through, the first five. */
      rollouts: z.array(
        z.object({
          templateId: z.number(),
          name: z.string(),
          version: z.number(),
          state: z.enum(rolloutStates).extract(["running", "waiting", "halted"]),
          wave: z.number(),
          waves: z.number(),
          /** CPEs that run the version, and all of the rollout. */
          done: z.number(),
          cpes: z.number(),
        }),
      ),
      /** Of the last 24 hours, the newest first; the first eight of `changeCount`. */
      changes: z.array(
        z.object({
          id: z.number(),
          loginName: z.string(),
          module: z.string(),
          action: z.string(),
          rowName: z.string(),
          /** As the operation log says it, in Chinese and English. */
          story: inBoth,
          createTime: codec.instant,
        }),
      ),
      changeCount: z.number(),
      /** Direct customers, those with most trouble first, then nearest to their limit; the first ten. */
      customers: z.array(
        z.object({
          groupid: z.number(),
          name: z.string(),
          /** CPEs of the customer and of all below it. */
          cpe: z.number(),
          cpeOnline: z.number(),
          tones: toneCounts,
          balance: money.sum,
          creditLimit: money.sum,
        }),
      ),
      /** The caller's own credit. */
      balance: money.sum,
      creditLimit: money.sum,
    }),
    may: screens("/dashboard/workplace"),
  }),
);
