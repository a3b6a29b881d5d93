/** Codes of alarms (specification sections 1, 4 and 5). */

/** spec/enums.json alarmLevel: 1 critical, 2 major, 3 minor, 4 warning. */
export const alarmLevels = [1, 2, 3, 4] as const;
export type AlarmLevel = (typeof alarmLevels)[number];
/** spec/enums.json compareType: 1 above, 2 below, 3 at or above, 4 at or below. */
export const compareTypes = [1, 2, 3, 4] as const;
export type CompareType = (typeof compareTypes)[number];
/**
 * What is in order or not: contact with a device, whether its configuration can be generated and has full
 * effect, whether what is to be kept out is, whether its programs keep running, a WAN link, an overlay link. A rule about them has no threshold.
 */
export const stateMetrics = [
  ...["node", "config", "finding", "deny", "repair", "line", "link"],
] as const;
/** What is measured: delay and jitter in ms, the others in percent. */
export const measuredMetrics = ["delay", "jitter", "loss", "bandwidth", "cpu", "mem"] as const;
export const alarmMetrics = [...stateMetrics, ...measuredMetrics] as const;
export type AlarmMetric = (typeof alarmMetrics)[number];

/** Whether a rule about it compares a value with a threshold. */
export const isMeasured = (metric: AlarmMetric): boolean =>
  measuredMetrics.some((one) => one === metric);

/** Unit of its values; empty: it has none. */
export const metricUnit = (metric: AlarmMetric): "" | "ms" | "%" => {
  if (!isMeasured(metric)) return "";
  return metric === "delay" || metric === "jitter" ? "ms" : "%";
};
