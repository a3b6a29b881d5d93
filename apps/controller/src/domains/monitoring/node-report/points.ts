/** Metrics of several items as one line over time. Pure. */
import type { Bucket } from "#metrics-store/store.ts";

type Values = NonNullable<Bucket["values"]>;

const most = (values: readonly (number | null | undefined)[]): number | null => {
  const known = values.filter((value): value is number => typeof value === "number");
  return known.length === 0 ? null : Math.max(...known);
};

/** Quality of the worst link in each bucket; ms, ms, percent. */
export const worstQuality = (links: readonly (readonly Bucket[])[], at: number) => {
  const values = links.map((buckets) => buckets.find((bucket) => bucket.at === at)?.values);
  const of = (pick: (value: Values) => number | null) =>
    most(values.map((value) => value && pick(value)));
  return {
    delay: of(({ rtt_ms }) => rtt_ms),
    jitter: of(({ jitter_ms }) => jitter_ms),
    loss: of(({ loss_percent }) => loss_percent),
  };
};

/** The newest bucket with metrics. */
export const newest = (buckets: readonly Bucket[]): Bucket | undefined =>
  buckets.findLast(({ values }) => values !== null);

/** Names of mobile interfaces begin with "ww" (systemd.net-naming-scheme(7): WWAN). */
export const isMobile = (interfaceName: string): boolean => interfaceName.startsWith("ww");
