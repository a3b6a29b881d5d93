/** Codes of alarms (specification sections 1, 4 and 5). */
import { type AlarmMetric, measuredMetrics } from "#domains/devices/enums.ts";

/** spec/enums.json alarmLevel: 1 critical, 2 major, 3 minor, 4 warning. */
export const alarmLevels = [1, 2, 3, 4] as const;
export type AlarmLevel = (typeof alarmLevels)[number];
/** spec/enums.json compareType: 1 above, 2 below, 3 at or above, 4 at or below. */
export const compareTypes = [1, 2, 3, 4] as const;
export type CompareType = (typeof compareTypes)[number];
/** Whether a rule about it compares a value with a threshold. */
export const isMeasured = (metric: AlarmMetric): boolean =>
  measuredMetrics.some((measuredMetric) => measuredMetric === metric);

/** Metrics whose alarm is not about a part of the device but about a reason. */
export const reasonMetrics: readonly AlarmMetric[] = ["config", "finding", "deny", "rollout"];

/** Unit of its values; empty: it has none. */
export const metricUnit = (metric: AlarmMetric): "" | "ms" | "%" => {
  if (!isMeasured(metric)) return "";
  return metric === "delay" || metric === "jitter" ? "ms" : "%";
};

/** What a maintenance window is about: 1 sites, 2 POPs, 3 an enterprise with those below it, 4 a carrier. */
export const windowKinds = [1, 2, 3, 4] as const;
export type WindowKind = (typeof windowKinds)[number];

/** Active alarms, each in one of them: those to work on, those put off, and those of planned work. */
export const alarmViews = ["active", "snoozed", "maintenance"] as const;
export type AlarmView = (typeof alarmViews)[number];

/** Of whom the alarms are: the caller's, or of no one. */
export const alarmOwners = ["mine", "none"] as const;

/** Why a message is sent: an alarm to a recipient, an event to a webhook, or a test. */
export const deliveryPurposes = ["alarm", "event", "test"] as const;
export type DeliveryPurpose = (typeof deliveryPurposes)[number];

/** A message waits for its next attempt, was accepted by the receiver, or was given up. */
export const deliveryStates = ["waiting", "sent", "failed"] as const;

/** What a webhook may be notified of; docs/webhooks.md describes the payloads. */
export const webhookEvents = [
  "alarm.opened",
  "alarm.ended",
  "change.delivered",
  "change.failed",
  "cpe.approved",
  "device.online",
  "device.offline",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
