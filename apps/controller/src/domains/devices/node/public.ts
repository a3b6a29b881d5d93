import type { cpe } from "@weft/contract/domains/devices/cpe.ts";
import type { NodeKind } from "@weft/contract/domains/devices/enums.ts";
import type { pop } from "@weft/contract/domains/devices/pop.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import type { Context } from "#kernel/api.ts";
import { listNodes } from "./list.ts";
import { toCpeRow, toPopRow } from "./row.ts";

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

export { cpeBatches } from "./batch.ts";
export { cpeTargets } from "./cpe-targets.ts";
export { readableNode, readableNodes } from "./readable.ts";
