import type { ToneCounts } from "@weft/contract/domains/devices/health.ts";
import { beginning } from "@weft/contract/domains/monitoring/beginning.ts";
import { workplace } from "@weft/contract/domains/monitoring/workplace.ts";
import type { RootCause } from "@weft/contract/domains/notifications/root-cause.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { FastifyInstance } from "fastify";
import { listOperations } from "#domains/access/record/public.ts";
import { readableNodes } from "#domains/devices/node/public.ts";
import { paramsOf } from "#domains/enterprises/param-config/public.ts";
import { listExpiring } from "#domains/monitoring/expiring/public.ts";
import { type Choice, readFacts, rootCauses } from "#domains/notifications/root-causes/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import type { WithMetrics } from "#kernel/metrics-access.ts";
import { mount, mountWithMetrics } from "#kernel/mount.ts";
import { metricsOrNull } from "#metrics-store/queries.ts";
import { readBeginning } from "./beginning.ts";
import * as store from "./store.ts";

type Workplace = OutputOf<typeof workplace>;

const dayMs = 86_400_000;
const maxChanges = 8;
const maxCauses = 12;

/** Devices that are known from contact. */
const seenOf = ({ bad, warn, run, ok }: ToneCounts): number => bad + warn + run + ok;

async function lastChanges(
  ctx: HandlerContext,
): Promise<Pick<Workplace, "changes" | "changeCount">> {
  const { rows, count } = await listOperations(ctx, {
    module: null,
    rowId: null,
    kind: null,
    groupid: null,
    nodeId: null,
    templateId: null,
    loginName: null,
    startTime: new Date(Date.now() - dayMs),
    endTime: null,
    page: 1,
    limit: maxChanges,
  });
  const changes = rows.map(({ id, loginName, module, action, rowName, story, createTime }) => ({
    id,
    loginName,
    module,
    action,
    rowName,
    story,
    createTime,
  }));
  return { changes, changeCount: count };
}

/** What is wrong now, by its causes, and the map of POPs and carriers. */
export async function readTrouble(
  ctx: HandlerContext,
  { cpeTones }: Workplace["counts"],
  choice: Choice,
): Promise<Pick<Workplace, "causes" | "causeCount" | "heat">> {
  const { facts, heat } = await readFacts(ctx, seenOf(cpeTones));
  const causes = rootCauses(facts, choice);
  return { causes: causes.slice(0, maxCauses), causeCount: causes.length, heat };
}

/** The causes of the caller's scope that concern what was selected, the worst first. */
export async function readCauses(
  ctx: HandlerContext,
  cpeTones: ToneCounts,
  choice: Choice,
): Promise<RootCause[]> {
  const { facts } = await readFacts(ctx, seenOf(cpeTones));
  return rootCauses(facts, choice);
}

/** Throughput of the caller's CPEs over a day; empty while no metrics are available. */
export async function readTraffic(
  ctx: HandlerContext & WithMetrics,
): Promise<Workplace["traffic"]> {
  const nodes = await readableNodes(ctx, await store.trafficNodes(ctx));
  if (nodes.length === 0) return [];
  const to = Date.now();
  // The rest of the screen is useful without its chart.
  const buckets = await metricsOrNull(ctx, (measures) =>
    measures.total("line", nodes, { from: to - dayMs, to }),
  );
  return (buckets ?? []).map(({ at, values }) => ({
    time: new Date(at),
    inRate: values?.in_rate ?? null,
    outRate: values?.out_rate ?? null,
  }));
}

/** What the first screen shows (screens.md, "Workplace"). */
export function workplaceRoutes(app: FastifyInstance): void {
  mount(app, beginning, (_, ctx) => readBeginning(ctx));
  mountWithMetrics(app, workplace, async (input, ctx) => {
    const { expireNoticeDays } = await paramsOf(ctx, ctx.caller.enterpriseId);
    const counts = await store.countStates(ctx);
    const [trouble, alarms, expiring, tasks, rollouts, changes, customers, credit, traffic] =
      await Promise.all([
        readTrouble(ctx, counts, { ...input, enterprises: null }),
        store.countAlarms(ctx),
        // What has ended is among the causes of trouble.
        listExpiring(ctx, { days: expireNoticeDays, withEnded: false, of: null, except: null }),
        store.countTasks(ctx),
        store.listRollouts(ctx),
        lastChanges(ctx),
        store.listCustomers(ctx),
        store.ownCredit(ctx),
        readTraffic(ctx),
      ]);
    return {
      counts,
      ...trouble,
      alarms,
      expiring,
      tasks,
      rollouts,
      ...changes,
      customers,
      ...credit,
      traffic,
    };
  });
}
