import type { cpe } from "@weft/contract/domains/devices/cpe.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import type { Context } from "#kernel/api.ts";
import { listNodes } from "./list.ts";
import { toCpeRow } from "./row.ts";

/** Rows of CPEs that the caller may read, by name. */
export async function cpeRows(ctx: Context, ids: readonly number[]): Promise<RowOf<typeof cpe>[]> {
  if (ids.length === 0) return [];
  const page = { page: 1, limit: ids.length, orderBy: "alias", isAsc: "asc" } as const;
  return (await listNodes(ctx, { kind: "cpe", ids, ...page })).map(toCpeRow);
}

export { cpeBatches } from "./batch.ts";
export { cpeTargets } from "./cpe-targets.ts";
