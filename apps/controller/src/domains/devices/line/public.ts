import type { line } from "@weft/contract/domains/devices/line.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import type { Context } from "#kernel/api.ts";
import { lineStore } from "./store.ts";

/** All lines of a node that the caller may read (at most four). */
export async function linesOfNode(ctx: Context, nodeId: number): Promise<RowOf<typeof line>[]> {
  const query = { nodeId, page: 1, limit: 4, orderByColumn: null, isAsc: null };
  return (await lineStore.list(ctx, query)).rows;
}

/** All lines of these nodes, with what the devices reported of each. */
export async function linesOfNodes(
  ctx: Context,
  ids: readonly number[],
): Promise<RowOf<typeof line>[]> {
  if (ids.length === 0) return [];
  const query = { nodeId: null, page: 1, limit: 4 * ids.length, orderByColumn: null, isAsc: null };
  return (await lineStore.list(ctx, { ...query, nodeIds: ids } as never)).rows;
}
