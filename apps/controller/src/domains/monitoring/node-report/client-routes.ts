import {
  clientFlow,
  clientJournal,
  clientPerformance,
} from "@weft/contract/domains/monitoring/node-report.ts";
import type { FastifyInstance } from "fastify";
import { everyStep, metricsReaderOf, ownersOf } from "#domains/monitoring/node-log/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import type { FlowBucket } from "#metrics-store/flow-store.ts";
import { rangeOf } from "#metrics-store/queries.ts";
import { hasAccount, listJournal } from "./store.ts";

/** Reports of mobile accounts (section 2.4), out of the records of their sessions. */
export function clientReportRoutes(app: FastifyInstance): void {
  const readMetrics = metricsReaderOf(app);
  const over = async <Point>(
    ctx: HandlerContext,
    { id, ...query }: { id: number; startTime: Date; endTime: Date },
    wire: (time: Date, bucket: FlowBucket | undefined) => Point,
  ): Promise<Point[]> => {
    if (!(await hasAccount(ctx, id))) refuse("notFound");
    const range = rangeOf(query);
    const filter = { accountId: id, enterpriseIds: ownersOf(ctx), range };
    return readMetrics(async (measures) => {
      const step = measures.stepOf(range);
      return everyStep(await measures.flows.over(filter, step), range, step, wire);
    });
  };
  mount(app, clientFlow, (input, ctx) =>
    over(ctx, input, (time, bucket) => ({
      time,
      inBytes: bucket?.in_bytes ?? null,
      outBytes: bucket?.out_bytes ?? null,
    })),
  );
  mount(app, clientPerformance, (input, ctx) =>
    over(ctx, input, (time, bucket) => ({
      time,
      delay: bucket?.rtt_ms ?? null,
      jitter: bucket?.jitter_ms ?? null,
      loss: bucket?.loss_percent ?? null,
    })),
  );
  mount(app, clientJournal, async (input, ctx) => {
    if (!(await hasAccount(ctx, input.id))) refuse("notFound");
    return listJournal(ctx, input);
  });
}
