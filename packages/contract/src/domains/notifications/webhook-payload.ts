/** What webhooks get: the JSON of each event (docs/webhooks.md). Fields are added, never removed or renamed. */

import { z } from "zod";
import { alarmMetrics } from "#domains/devices/enums.ts";
import { alarmLevels, type WebhookEvent } from "./enums.ts";

/** ISO 8601 in UTC with milliseconds. */
const moment = z.iso.datetime({ precision: 3 });

const device = z.strictObject({
  id: z.number(),
  kind: z.enum(["cpe", "pop"]),
  name: z.string(),
  /** Serial number of the device; empty: none was enrolled. */
  sn: z.string(),
});
const enterprise = z.strictObject({ id: z.number(), name: z.string() });
const about = { enterprise, device };

const alarm = z.strictObject({
  id: z.number(),
  /** 1 critical, 2 major, 3 minor, 4 warning. */
  level: z.literal(alarmLevels),
  metric: z.enum(alarmMetrics),
  /** Line or link; empty: the device itself. */
  item: z.string(),
  /** Percent or ms; null: nothing is measured. */
  value: z.number().nullable(),
  policy: z.string(),
  text: z.strictObject({ zh_cn: z.string(), en_gb: z.string() }),
  opened: moment,
  /** Null: it is active. */
  ended: moment.nullable(),
  /** Id of the alarm whose cause is this one's as well; null: none is known. */
  cause: z.number().nullable(),
  /** True: it lies in a maintenance window, and people are not notified. */
  planned: z.boolean(),
});

const change = z.strictObject({
  epoch: z.number(),
  serial: z.number(),
  outcome: z.enum(["confirmed", "refused", "failed", "reverted"]),
  /** What the change came from, as tasks show it. */
  cause: z.string(),
  /** Why it failed; empty: it did not. */
  reason: z.string(),
});

/** `data` of each event. */
const eventData = {
  "alarm.opened": z.strictObject({ ...about, alarm }),
  "alarm.ended": z.strictObject({ ...about, alarm }),
  "change.delivered": z.strictObject({ ...about, change }),
  "change.failed": z.strictObject({ ...about, change }),
  "cpe.approved": z.strictObject({
    ...about,
    /** Login name; null: the activation code was approved beforehand. */
    approvedBy: z.string().nullable(),
  }),
  "device.online": z.strictObject(about),
  "device.offline": z.strictObject(about),
} as const satisfies Readonly<Record<WebhookEvent, z.ZodType>>;

export type EventData = { readonly [Kind in WebhookEvent]: z.output<(typeof eventData)[Kind]> };

/** The body of a delivery. */
export const webhookPayload = <Kind extends WebhookEvent>(kind: Kind) =>
  z.strictObject({ type: z.literal(kind), timestamp: moment, data: eventData[kind] });
