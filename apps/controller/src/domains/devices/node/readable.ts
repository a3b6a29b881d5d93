import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { type ReadableNode, wholeNode } from "#metrics-store/steps.ts";

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
