/** Reads of the metrics store for pages, and their answer while it is unavailable. */
import type { FastifyInstance } from "fastify";
import { refuse } from "#kernel/refuse.ts";
import type { HitStore } from "./hits.ts";
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
async function fromStore<Found>(
  app: FastifyInstance,
  read: (measures: MeasureStore) => Promise<Found>,
): Promise<Found> {
  const { measures } = app.weft;
  if (!measures) return refuse("unavailable");
  return read(measures).catch((error: unknown) => {
    app.log.warn({ err: error }, "metrics cannot be read");
    return refuse("unavailable");
  });
}

/** What the metrics store answers; null while it is unavailable, for pages that show more than metrics. */
export const metricsOrNull =
  (app: FastifyInstance) =>
  async <Found>(read: (measures: MeasureStore) => Promise<Found>): Promise<Found | null> => {
    const { measures } = app.weft;
    if (!measures) return null;
    return read(measures).catch((error: unknown) => {
      app.log.warn({ err: error }, "metrics cannot be read");
      return null;
    });
  };

/** Reads metrics of one node; refuses "unavailable" while their store is unavailable. */
export const readerOf =
  (app: FastifyInstance) =>
  (...query: Parameters<MeasureStore["read"]>): Promise<Series> =>
    fromStore(app, (measures) => measures.read(...query));

/** Adds metrics up; refuses "unavailable" while their store is unavailable. */
export const totalOf =
  (app: FastifyInstance) =>
  (...query: Parameters<MeasureStore["total"]>): Promise<Bucket[]> =>
    fromStore(app, (measures) => measures.total(...query));

/** Reads hits of rules; refuses "unavailable" while their store is unavailable. */
export const hitsOf =
  (app: FastifyInstance) =>
  <Found>(read: (hits: HitStore) => Promise<Found>): Promise<Found> =>
    fromStore(app, (measures) => read(measures.hits));
