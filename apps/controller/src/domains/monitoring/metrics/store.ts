import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

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

/** The end of a link that probes it; null when the link is not there, or not for the caller. */
export async function proberOf(ctx: Context, linkId: number): Promise<number | null> {
  const { rows } = await sql<{ a_node_id: number }>`
    select l.a_node_id from link l
    where l.id = ${linkId} and ${inCallerScope(ctx, "l.enterprise_id")}`.execute(ctx.db);
  return rows[0]?.a_node_id ?? null;
}
