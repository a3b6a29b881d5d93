import { workplace } from "@weft/contract/domains/monitoring/workplace.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { FastifyInstance } from "fastify";
import { listOperations } from "#domains/access/record/public.ts";
import { paramsOf } from "#domains/enterprises/param-config/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import * as store from "./store.ts";

type Workplace = OutputOf<typeof workplace>;

const dayMs = 86_400_000;
/** The last changes are looked for so far back. */
const changesMs = 30 * dayMs;
const maxChanges = 8;

async function lastChanges(ctx: HandlerContext): Promise<Workplace["changes"]> {
  const { rows } = await listOperations(ctx, {
    ...{ module: null, loginName: null, startTime: new Date(Date.now() - changesMs) },
    ...{ endTime: null, page: 1, limit: maxChanges },
  });
  return rows.map(({ id, loginName, module, action, rowName, createTime }) => ({
    ...{ id, loginName, module, action, rowName, createTime },
  }));
}

/** Throughput of the caller's CPEs over a day; empty while no metrics are available. */
export async function readTraffic(
  app: FastifyInstance,
  ctx: HandlerContext,
): Promise<Workplace["traffic"]> {
  const { measures } = app.weft;
  const nodes = await store.trafficNodes(ctx);
  if (!measures || nodes.length === 0) return [];
  const to = Date.now();
  const buckets = await measures
    .total("line", nodes, { from: to - dayMs, to })
    .catch((error: unknown) => {
      // The rest of the screen is useful without its chart.
      app.log.warn({ err: error }, "metrics cannot be read");
      return [];
    });
  return buckets.map(({ at, values }) => ({
    time: new Date(at),
    inRate: values?.in_rate ?? null,
    outRate: values?.out_rate ?? null,
  }));
}

/** GET /customer/dashboard/workplace (screens.md, "Workplace"). */
export function workplaceRoutes(app: FastifyInstance): void {
  mount(app, workplace, async (_, ctx) => {
    const { expireNoticeDays } = await paramsOf(ctx, ctx.caller.enterpriseId);
    const [counts, attention, expiring, tasks, changes, customers, credit, points] =
      await Promise.all([
        store.countStates(ctx),
        store.listAttention(ctx),
        store.listExpiring(ctx, expireNoticeDays),
        store.countTasks(ctx),
        lastChanges(ctx),
        store.listCustomers(ctx),
        store.ownCredit(ctx),
        readTraffic(app, ctx),
      ]);
    return {
      ...{ counts, ...attention, expiring, tasks, changes, customers, ...credit },
      traffic: points,
    };
  });
}
