/**
 * The metrics store, for calls whose endpoint declares that they ask it (contract: `readsMetrics`). It may take its time, or hang,
 * and a call holds a connection to the database meanwhile: such calls must not have all of them (call-turns.ts). The store is
 * had for a declared endpoint only, so that a call that forgot to declare it does not compile.
 */
import type { Endpoint, ReadsMetrics } from "@weft/contract/kernel/endpoint.ts";
import type { FastifyInstance } from "fastify";
import type { MeasureStore } from "#metrics-store/store.ts";

export interface MetricsAccess {
  /** Null: this process was started without it. */
  readonly store: MeasureStore | null;
  /** Logs why it did not answer. */
  readonly report: (error: unknown) => void;
}

/** What a declared call passes on to whatever asks for metrics. */
export interface WithMetrics {
  readonly metrics: MetricsAccess;
}

const stores = new WeakMap<FastifyInstance, MeasureStore | null>();

/** Offers the store to calls of an application. @param store null: there is none */
export function offerMetrics(app: FastifyInstance, store: MeasureStore | null): void {
  stores.set(app, store);
}

export const metricsFor = (
  app: FastifyInstance,
  _declared: Endpoint & ReadsMetrics,
): MetricsAccess => ({
  store: stores.get(app) ?? null,
  report: (error) => app.log.warn({ err: error }, "metrics cannot be read"),
});
