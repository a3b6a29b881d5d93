import { cpe, cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import { healthCounts } from "@weft/contract/domains/devices/health.ts";
import { pop, popFindById, popLines } from "@weft/contract/domains/devices/pop.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import type { FastifyInstance } from "fastify";
import { mountBatches } from "#batch/mount-batch.ts";
import { linesOfNode } from "#domains/devices/line/public.ts";
import type { Context, HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { refuse } from "#kernel/refuse.ts";
import type { Store } from "#kernel/resource-store.ts";
import { rowWithETag } from "#kernel/row-version.ts";
import { requireEnterprise } from "#kernel/scope.ts";
import { cpeActionRoutes } from "./actions.ts";
import { cpeBatches } from "./batch.ts";
import { byKey } from "./by-key.ts";
import { countNodes, countTones, listNodes, type NodeQuery } from "./list.ts";
import { fromCpe, place, toCpeRow, toPopRow } from "./row.ts";
import { addNode, comboNodes, editNode, type NodeValues, removeNodes } from "./store.ts";

const fromPop = (draft: DraftOf<typeof pop>): NodeValues => ({
  ...place(draft),
  name: draft.name,
  regions: draft.regions,
  bandwidth_kbps: draft.bandwidth,
});

const page = async <Row>(
  ctx: Context,
  query: NodeQuery,
  toRow: (record: Awaited<ReturnType<typeof listNodes>>[number]) => Row,
) => {
  const [records, count] = await Promise.all([listNodes(ctx, query), countNodes(ctx, query)]);
  return { rows: records.map(toRow), count };
};

const readNode = async (ctx: Context, kind: "cpe" | "pop", id: number) => {
  const [nodeRecord] = await listNodes(ctx, { kind, id, page: 1, limit: 1 });
  return nodeRecord ?? refuse("notFound");
};

const cpeStore: Store<typeof cpe> = {
  list: (ctx, query) =>
    page(ctx, { ...query, ...byKey(query), kind: "cpe", orderBy: query.orderByColumn }, toCpeRow),
  add: (ctx, draft) => addNode(ctx, "cpe", fromCpe(draft)),
  edit: (ctx, id, draft) => editNode(ctx, "cpe", id, fromCpe(draft)),
  read: async (ctx, id) => toCpeRow(await readNode(ctx, "cpe", id)),
  remove: (ctx, ids) => removeNodes(ctx, "cpe", ids),
  combo: (ctx) => comboNodes(ctx, "cpe"),
};

const popStore: Store<typeof pop> = {
  list: (ctx, query) =>
    page(ctx, { ...query, ...byKey(query), kind: "pop", orderBy: query.orderByColumn }, toPopRow),
  add: (ctx, draft) => addNode(ctx, "pop", fromPop(draft)),
  edit: (ctx, id, draft) => editNode(ctx, "pop", id, fromPop(draft)),
  read: async (ctx, id) => toPopRow(await readNode(ctx, "pop", id)),
  remove: (ctx, ids) => removeNodes(ctx, "pop", ids),
  combo: (ctx) => comboNodes(ctx, "pop"),
};

const ownEnterprise = {
  beforeWrite: (ctx: HandlerContext, draft: { groupid: number }) =>
    requireEnterprise(ctx, draft.groupid, "groupid"),
};

/** CPEs and POPs: both are nodes; the kinds differ in their fields and in who may read them. */
export function nodeRoutes(app: FastifyInstance): void {
  mountResource(app, cpe, cpeStore, ownEnterprise);
  mountResource(app, pop, popStore, ownEnterprise);
  cpeActionRoutes(app);
  mountBatches(app, cpeBatches);
  mount(app, cpeFindById, async ({ id }, ctx) => {
    return rowWithETag(ctx, toCpeRow(await readNode(ctx, "cpe", id)));
  });
  mount(app, popFindById, async ({ id }, ctx) => {
    return rowWithETag(ctx, toPopRow(await readNode(ctx, "pop", id)));
  });
  mount(app, healthCounts, ({ classType: kind, ...query }, ctx) =>
    countTones(ctx, { ...query, ...byKey(query), kind, page: 1, limit: 1 }),
  );
  mount(app, popLines, async ({ id }, ctx) => {
    const [nodeRecord] = await listNodes(ctx, { kind: "pop", id, page: 1, limit: 1 });
    return nodeRecord ? linesOfNode(ctx, id) : refuse("notFound");
  });
}
