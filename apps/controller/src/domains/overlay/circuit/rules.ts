import type { Bucket } from "#metrics-store/store.ts";

/** kbit/s of one line each way; null: not set. */
export interface LineRates {
  readonly up: number | null;
  readonly down: number | null;
}

/** Section 5: kbit/s. */
export const minBandwidth = 64;

/** kbit/s that go through a node both ways by all of its lines; infinite while one is not known. */
export function rateThrough(lines: readonly LineRates[]): number {
  const sum = (of: (line: LineRates) => number | null): number =>
    lines.reduce((all, line) => all + (of(line) ?? Number.POSITIVE_INFINITY), 0);
  if (lines.length === 0) return Number.POSITIVE_INFINITY;
  return Math.min(
    sum(({ up }) => up),
    sum(({ down }) => down),
  );
}

export interface MeasuredLink {
  readonly buckets: readonly Bucket[];
  /** False: its probing end is the circuit's target, so that its directions are the other way. */
  readonly fromSource: boolean;
}

export interface CircuitPoint {
  readonly time: Date;
  readonly inRate: number | null;
  readonly outRate: number | null;
  readonly delay: number | null;
  readonly loss: number | null;
}

const known = (values: readonly (number | null | undefined)[]): number[] =>
  values.filter((value): value is number => typeof value === "number");
const total = (values: readonly (number | null | undefined)[]): number | null =>
  known(values).length === 0 ? null : known(values).reduce((all, value) => all + value, 0);
const worst = (values: readonly (number | null | undefined)[]): number | null =>
  known(values).length === 0 ? null : Math.max(...known(values));

/** Links of one circuit as one: rates added up, latency and loss of the worst. Pure. */
export function circuitPoints(links: readonly MeasuredLink[]): CircuitPoint[] {
  const times = links[0]?.buckets.map(({ at }) => at) ?? [];
  const byTime = links.map(({ buckets, fromSource }) => ({
    fromSource,
    values: new Map(buckets.map(({ at, values }) => [at, values])),
  }));
  return times.map((at) => {
    const now = byTime.map(({ fromSource, values }) => ({ fromSource, ...values.get(at) }));
    return {
      time: new Date(at),
      inRate: total(now.map((sample) => (sample.fromSource ? sample.in_rate : sample.out_rate))),
      outRate: total(now.map((sample) => (sample.fromSource ? sample.out_rate : sample.in_rate))),
      delay: worst(now.map((sample) => sample.rtt_ms)),
      loss: worst(now.map((sample) => sample.loss_percent)),
    };
  });
}

/** Bytes that a mean rate (bit/s) moves in a bucket of this many seconds; null stays null. */
export const bytesOf = (rate: number | null, seconds: number): number | null =>
  rate === null ? null : Math.round((rate * seconds) / 8);
