/** Reads of the metrics store for pages, and their answer while it is unavailable. */
import type { WithMetrics } from "#kernel/metrics-access.ts";
import { refuse } from "#kernel/refuse.ts";
import type { Range } from "./steps.ts";
import type { Bucket, MeasureStore, Series } from "./store.ts";

export interface RequestedRange {
  readonly startTime: Date;
  readonly endTime: Date;
}

export const rangeOf = ({ startTime, endTime }: RequestedRange): Range => ({
  from: startTime.getTime(),
  to: endTime.getTime(),
});

export const rates = ({ at, values }: Bucket) => ({
  time: new Date(at),
  inRate: values?.in_rate ?? null,
  outRate: values?.out_rate ?? null,
});

/** The result of `read` on the metrics store; refuses "unavailable" while it is unavailable. */
export async function readMetrics<Found>(
  { metrics: { store, report } }: WithMetrics,
  read: (measures: MeasureStore) => Promise<Found>,
): Promise<Found> {
  if (!store) return refuse("unavailable");
  return read(store).catch((error: unknown) => {
    report(error);
    return refuse("unavailable");
  });
}

/** What the metrics store answers; null while it is unavailable, for pages that show more than metrics. */
export async function metricsOrNull<Found>(
  { metrics: { store, report } }: WithMetrics,
  read: (measures: MeasureStore) => Promise<Found>,
): Promise<Found | null> {
  if (!store) return null;
  return read(store).catch((error: unknown) => {
    report(error);
    return null;
  });
}

/** Reads metrics of one node; refuses "unavailable" while their store is unavailable. */
export const readerOf =
  (ctx: WithMetrics) =>
  (...query: Parameters<MeasureStore["read"]>): Promise<Series> =>
    readMetrics(ctx, (measures) => measures.read(...query));
