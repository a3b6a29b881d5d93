import { dueSoonDays } from "@weft/contract/rules/expiry.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

/** A node that is due soon or expired. */
interface Expiring {
  readonly id: number;
  readonly name: string;
  readonly expire_at: Date;
}

/** The caller's nodes of a kind that are due soon or expired, the earliest first. */
export async function expiringNodes(ctx: Context, kind: "cpe" | "pop"): Promise<Expiring[]> {
  const { rows } = await sql<Expiring>`
    select n.id, n.name, n.expire_at from node n
    where n.kind = ${kind} and n.expire_at <= now() + make_interval(days => ${dueSoonDays}::int)
      and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
    order by n.expire_at, n.id`.execute(ctx.db);
  return rows;
}
