import type { Context } from "#kernel/api.ts";

export interface MeasuredLine {
  readonly slot: number;
  readonly name: string;
  readonly interface_name: string;
}

/** Lines of a node in order of their slots; null when it is not there, or not for the caller. */
export async function linesOf(ctx: Context, nodeId: number): Promise<MeasuredLine[] | null> {
  const node = await ctx.db
    .selectFrom("node")
    .select("id")
    .where("id", "=", nodeId)
    .executeTakeFirst();
  if (!node) return null;
  return ctx.db
    .selectFrom("line")
    .select(["slot", "name", "interface_name"])
    .where("node_id", "=", nodeId)
    .orderBy("slot")
    .execute();
}
