/** Which buckets a range of time is answered in. */
import type { Parameters } from "./engine.ts";
import { keptDays, type Level, levels } from "./schema.ts";

export interface Range {
  /** Ms since 1970; `from` counts, `to` does not. */
  readonly from: number;
  readonly to: number;
}

/** A node as far as a reader may read what it measured: another enterprise's metrics may be stored under its id. */
export interface ReadableNode {
  readonly id: number;
  /** Ms since 1970 that its metrics count from; 0: all of them. */
  readonly since: number;
}

/** A node for a reader of all that was ever stored under its id. */
export const wholeNode = (id: number): ReadableNode => ({ id, since: 0 });

/** Approximate number of points for which a chart has room. */
const maxBuckets = 360;
// Twice the interval of the metrics at least: a bucket that is empty then is a gap and no jitter.
const steps = [30, 60, 120, 300, 900, 1_800, 3_600, 7_200, 21_600, 86_400, 604_800] as const;
const dayMs = 86_400_000;

/** Bucket width and the level that answers it: the finest that the retention still has. */
export const choose = ({ from, to }: Range, now: number): { step: number; level: Level } => {
  const age = (now - from) / dayMs;
  const minSeconds = age > keptDays.minute ? 3_600 : age > keptDays.raw ? 60 : 30;
  const wide = (to - from) / 1_000 / maxBuckets;
  const step = steps.find((step) => step >= minSeconds && step >= wide) ?? 604_800;
  return { step, level: step >= 3_600 ? "hour" : step >= 60 ? "minute" : "raw" };
};

/** Bounds of the buckets of a range, in seconds. */
export const boundsOf = ({ from, to }: Range, step: number) => ({
  from: Math.floor(from / 1_000 / step) * step,
  to: Math.ceil(to / 1_000 / step) * step,
});

/**
 * Predicate on `m`, with its parameters, that leaves out what is from before these nodes are readable. Of a minute or an hour in which
 * that begins nothing is read: a roll-up does not part what was before from what was after.
 */
export const readableOf = (
  nodes: readonly ReadableNode[],
  level: Level,
): { readonly sql: string; readonly parameters: Parameters } => {
  const limited = nodes.filter(({ since }) => since > 0);
  if (limited.length === 0) return { sql: "", parameters: {} };
  const width = level === "raw" ? 1 : levels[level].seconds;
  return {
    sql: `and toUnixTimestamp(m.at) >= transform(m.node_id, {limited:Array(UInt32)},
      {readable_from:Array(UInt32)}, toUInt32(0))`,
    parameters: {
      limited: limited.map(({ id }) => id),
      readable_from: limited.map(({ since }) => Math.ceil(since / 1_000 / width) * width),
    },
  };
};
