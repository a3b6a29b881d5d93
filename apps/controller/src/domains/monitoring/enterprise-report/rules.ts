import type { Bucket } from "#metrics-store/store.ts";

export interface LinePoint {
  readonly time: Date;
  readonly inRate: number | null;
  readonly outRate: number | null;
  readonly delay: number | null;
  readonly loss: number | null;
}

const worst = (values: readonly (number | null | undefined)[]): number | null => {
  const known = values.filter((value): value is number => typeof value === "number");
  return known.length === 0 ? null : Math.max(...known);
};

/** Throughput of a line beside the worst latency and loss of the links over it. Pure. */
export function linePoints(
  line: readonly Bucket[],
  links: readonly (readonly Bucket[])[],
): LinePoint[] {
  const byTime = links.map((buckets) => new Map(buckets.map(({ at, values }) => [at, values])));
  return line.map(({ at, values }) => ({
    time: new Date(at),
    inRate: values?.in_rate ?? null,
    outRate: values?.out_rate ?? null,
    delay: worst(byTime.map((link) => link.get(at)?.rtt_ms)),
    loss: worst(byTime.map((link) => link.get(at)?.loss_percent)),
  }));
}
