import type { NodeKind } from "@weft/contract/domains/devices/enums.ts";
import type { cklogFlow, logFlow } from "@weft/contract/domains/monitoring/flow-log.ts";
import type { InputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import type { FastifyInstance } from "fastify";
import { readableNode } from "#domains/devices/node/public.ts";
import { linesOf } from "#domains/monitoring/metrics/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import type { WithMetrics } from "#kernel/metrics-access.ts";
import { mount, mountWithMetrics } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { rangeOf, readerOf, readMetrics } from "#metrics-store/queries.ts";
import { ownRecords } from "./read.ts";
import { bytesOf, placed, toSession, toVisit } from "./records.ts";
import { hasRecords, type LinkedPair, listPairs, listTree } from "./store.ts";

type Family = typeof logFlow | typeof cklogFlow;
type Pairs = ResultOf<typeof logFlow.cpe2pop>;

const pairOf = ({ cpeId, peerId }: LinkedPair): string => `${cpeId}-${peerId}`;

const requireCpe = async (ctx: HandlerContext, id: number): Promise<void> => {
  if (!(await hasRecords(ctx, id, "cpe"))) refuse("notFound");
};

/** Bytes of a device and of its interfaces, out of the measures of its lines. */
function mountBytes(app: FastifyInstance, family: Family): void {
  mountWithMetrics(app, family.cpebyte, async ({ cpeId, ...query }, ctx) => {
    await requireCpe(ctx, cpeId);
    const range = rangeOf(query);
    const node = await readableNode(ctx, cpeId);
    return readMetrics(ctx, async (measures) => {
      const step = measures.stepOf(range);
      return (await measures.total("line", [node], range)).map((bucket) => bytesOf(bucket, step));
    });
  });
  mountWithMetrics(app, family.cardlist, async ({ cpeId }, ctx) => {
    await requireCpe(ctx, cpeId);
    const lines = (await linesOf(ctx, cpeId)) ?? [];
    const node = await readableNode(ctx, cpeId);
    const cards = await readMetrics(ctx, (measures) => measures.items("line", node));
    return cards.map((cardId) => ({
      cardId,
      name: lines.find((line) => line.interface_name === cardId)?.name ?? cardId,
    }));
  });
  mountWithMetrics(app, family.cardflow, async ({ cpeId, cardId, ...query }, ctx) => {
    await requireCpe(ctx, cpeId);
    const node = await readableNode(ctx, cpeId);
    const { stepSeconds, items } = await readerOf(ctx)("line", node, cardId, rangeOf(query));
    return (items.get(cardId) ?? []).map((bucket) => bytesOf(bucket, stepSeconds));
  });
}

/** Bytes of pairs of devices, out of the measures of the links between them. */
function mountPairs(app: FastifyInstance, family: Family): void {
  const pairs = async (
    ctx: HandlerContext & WithMetrics,
    peer: NodeKind,
    input: InputOf<typeof logFlow.cpe2cpe> & { readonly popId?: number | null },
  ): Promise<Pairs> => {
    const { cpeId, popId = null } = input;
    const links = await listPairs(ctx, { peer, cpeId, popId });
    const named = new Map(links.map((link) => [pairOf(link), link]));
    const among = links.map((link) => ({
      id: link.link,
      pair: pairOf(link),
      isReversed: !link.isForward,
    }));
    const { rows, count } = await readMetrics(ctx, (measures) =>
      measures.pairs(among, rangeOf(input), input),
    );
    const withNames = rows.flatMap(({ pair, inBytes, outBytes }) => {
      const linkedPair = named.get(pair);
      if (!linkedPair) return [];
      const { cpeId: id, cpeName, peerId, peerName } = linkedPair;
      return [{ cpeId: id, cpeName, peerId, peerName, inBytes, outBytes }];
    });
    return { rows: withNames, count };
  };
  mountWithMetrics(app, family.cpe2cpe, (input, ctx) => pairs(ctx, "cpe", input));
  mountWithMetrics(app, family.cpe2pop, (input, ctx) => pairs(ctx, "pop", input));
}

/** Calls of one family of flow records; both read the same store. */
export function mountFlows(app: FastifyInstance, family: Family): void {
  mountBytes(app, family);
  mountPairs(app, family);
  mount(app, family.tree, ({ cpeId }, ctx) => listTree(ctx, cpeId));
  mountWithMetrics(app, family.urlpage, async ({ cpeId, url, ...query }, ctx) => {
    await requireCpe(ctx, cpeId);
    const filter = { ...ownRecords(ctx, cpeId, rangeOf(query)), visits: true as const };
    const page = await readMetrics(ctx, ({ flows }) =>
      flows.list(url ? { ...filter, url } : filter, query),
    );
    return placed(page, query, toVisit);
  });
  mountWithMetrics(app, family.sessionpage, async ({ cpeId, ip, ...query }, ctx) => {
    await requireCpe(ctx, cpeId);
    const filter = ownRecords(ctx, cpeId, rangeOf(query));
    const page = await readMetrics(ctx, ({ flows }) =>
      flows.list(ip ? { ...filter, ip } : filter, query),
    );
    return placed(page, query, toSession);
  });
}
