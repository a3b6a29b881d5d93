import type { linkReport } from "@weft/contract/domains/monitoring/metrics.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { FastifyInstance } from "fastify";
import { readableNode } from "#domains/devices/node/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import type { HitStore } from "#metrics-store/hits.ts";
import type { Range } from "#metrics-store/steps.ts";
import type { Bucket, MeasureStore, Series } from "#metrics-store/store.ts";
import { proberOf } from "./store.ts";

interface Asked {
  readonly startTime: Date;
  readonly endTime: Date;
}

export const rangeOf = ({ startTime, endTime }: Asked): Range => ({
  from: startTime.getTime(),
  to: endTime.getTime(),
});

export const rates = ({ at, values }: Bucket) => ({
  time: new Date(at),
  inRate: values?.in_rate ?? null,
  outRate: values?.out_rate ?? null,
});

/** The result of `ask` on the metrics store; refuses "unavailable" while it is unavailable. */
async function fromStore<Found>(
  app: FastifyInstance,
  ask: (measures: MeasureStore) => Promise<Found>,
): Promise<Found> {
  const { measures } = app.weft;
  if (!measures) return refuse("unavailable");
  return ask(measures).catch((error: unknown) => {
    app.log.warn({ err: error }, "metrics cannot be read");
    return refuse("unavailable");
  });
}

/** What the metrics store answers; null while it is unavailable, for pages that show more than metrics. */
export const metricsOrNull =
  (app: FastifyInstance) =>
  async <Found>(ask: (measures: MeasureStore) => Promise<Found>): Promise<Found | null> => {
    const { measures } = app.weft;
    if (!measures) return null;
    return ask(measures).catch((error: unknown) => {
      app.log.warn({ err: error }, "metrics cannot be read");
      return null;
    });
  };

/** Reads metrics of one node; refuses "unavailable" while their store is unavailable. */
export const readerOf =
  (app: FastifyInstance) =>
  (...asked: Parameters<MeasureStore["read"]>): Promise<Series> =>
    fromStore(app, (measures) => measures.read(...asked));

/** Adds metrics up; refuses "unavailable" while their store is unavailable. */
export const totalOf =
  (app: FastifyInstance) =>
  (...asked: Parameters<MeasureStore["total"]>): Promise<Bucket[]> =>
    fromStore(app, (measures) => measures.total(...asked));

/** Reads hits of rules; refuses "unavailable" while their store is unavailable. */
export const hitsOf =
  (app: FastifyInstance) =>
  <Found>(ask: (hits: HitStore) => Promise<Found>): Promise<Found> =>
    fromStore(app, (measures) => ask(measures.hits));

/** Quality and throughput of a link of the caller's over time. */
export async function readLinkPoints(
  app: FastifyInstance,
  ctx: Context,
  linkId: number,
  asked: Asked,
): Promise<OutputOf<typeof linkReport>> {
  const prober = (await proberOf(ctx, linkId)) ?? refuse("notFound");
  const node = await readableNode(ctx, prober);
  const { stepSeconds, items } = await readerOf(app)("link", node, String(linkId), rangeOf(asked));
  const points = (items.get(String(linkId)) ?? []).map((bucket) => ({
    ...rates(bucket),
    delay: bucket.values?.rtt_ms ?? null,
    jitter: bucket.values?.jitter_ms ?? null,
    loss: bucket.values?.loss_percent ?? null,
  }));
  return { step: stepSeconds, points };
}
