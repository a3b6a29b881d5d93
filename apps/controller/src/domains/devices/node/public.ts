import type { cpe } from "@weft/contract/domains/devices/cpe.ts";
import type { NodeKind } from "@weft/contract/domains/devices/enums.ts";
import type { pop } from "@weft/contract/domains/devices/pop.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { type ReadableNode, wholeNode } from "#metrics-store/steps.ts";
import { listNodes } from "./list.ts";
import { toCpeRow, toPopRow } from "./row.ts";

/**
 * Nodes of the caller's as far as their metrics may be read. What was measured before a node moved is of the enterprise that it was
 * of: whoever sees that one as well reads all, others read what was measured since the move. Whether the caller sees the nodes is
 * asked before.
 */
export async function readableNodes(ctx: Context, ids: readonly number[]): Promise<ReadableNode[]> {
  const { scope } = ctx.caller;
  if (scope.kind === "all" || ids.length === 0) return ids.map(wholeNode);
  const { rows } = await sql<{ id: number; since: Date }>`
    select node_id as id, since from weft.readable_since(${[...ids]}::bigint[])`.execute(ctx.db);
  const since = new Map(rows.map((row) => [row.id, row.since.getTime()]));
  return ids.map((id) => ({ id, since: since.get(id) ?? 0 }));
}

/** The same of one node. */
export async function readableNode(ctx: Context, id: number): Promise<ReadableNode> {
  const [node = wholeNode(id)] = await readableNodes(ctx, [id]);
  return node;
}

/** Rows of CPEs that the caller may read, by name. */
export async function cpeRows(ctx: Context, ids: readonly number[]): Promise<RowOf<typeof cpe>[]> {
  if (ids.length === 0) return [];
  const page = { page: 1, limit: ids.length, orderBy: "alias", isAsc: "asc" } as const;
  return (await listNodes(ctx, { kind: "cpe", ids, ...page })).map(toCpeRow);
}

/** What the rows of CPEs and POPs have alike. */
export interface EitherNode
  extends Pick<RowOf<typeof cpe>, keyof RowOf<typeof cpe> & keyof RowOf<typeof pop>> {
  readonly kind: NodeKind;
  readonly name: string;
}

/** A CPE or POP that the caller may read; null: there is none. */
export async function findNode(ctx: Context, id: number): Promise<EitherNode | null> {
  const page = { id, page: 1, limit: 1 };
  const [site] = await listNodes(ctx, { kind: "cpe", ...page });
  if (site) return { ...toCpeRow(site), kind: "cpe", name: site.name };
  const [hub] = await listNodes(ctx, { kind: "pop", ...page });
  return hub ? { ...toPopRow(hub), kind: "pop" } : null;
}

/** True when the caller may read the node. */
export async function isNode(ctx: Context, id: number): Promise<boolean> {
  const node = ctx.db.selectFrom("node").select("id").where("id", "=", id);
  return (await node.executeTakeFirst()) !== undefined;
}

export { cpeBatches } from "./batch.ts";
export { cpeTargets } from "./cpe-targets.ts";
