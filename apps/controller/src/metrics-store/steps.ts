/** Which buckets a range of time is answered in. */
import { keptDays, type Level } from "./schema.ts";

export interface Range {
  /** Ms since 1970; `from` counts, `to` does not. */
  readonly from: number;
  readonly to: number;
}

/** Approximate number of points for which a chart has room. */
const maxBuckets = 360;
// Twice the interval of the metrics at least: a bucket that is empty then is a gap and no jitter.
const steps = [30, 60, 120, 300, 900, 1_800, 3_600, 7_200, 21_600, 86_400, 604_800] as const;
const dayMs = 86_400_000;

/** Bucket width and the level that answers it: the finest that the retention still has. */
export const choose = ({ from, to }: Range, now: number): { step: number; level: Level } => {
  const age = (now - from) / dayMs;
  const least = age > keptDays.minute ? 3_600 : age > keptDays.raw ? 60 : 30;
  const wide = (to - from) / 1_000 / maxBuckets;
  const step = steps.find((one) => one >= least && one >= wide) ?? 604_800;
  return { step, level: step >= 3_600 ? "hour" : step >= 60 ? "minute" : "raw" };
};

/** Bounds of the buckets of a range, in seconds. */
export const boundsOf = ({ from, to }: Range, step: number) => ({
  from: Math.floor(from / 1_000 / step) * step,
  to: Math.ceil(to / 1_000 / step) * step,
});
