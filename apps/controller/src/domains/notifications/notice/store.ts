import { sql } from "kysely";
import { dueSoonAt } from "#domains/enterprises/param-config/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

/** A node or an account that is due soon or expired. */
interface Expiring {
  readonly id: number;
  readonly name: string;
  readonly expire_at: Date;
}

/** The caller's nodes of a kind that are due soon or expired, the earliest first. */
export async function expiringNodes(ctx: Context, kind: "cpe" | "pop"): Promise<Expiring[]> {
  const { rows } = await sql<Expiring>`
    select n.id, n.name, n.expire_at from node n
    where n.kind = ${kind} and n.expire_at <= ${dueSoonAt(ctx)}
      and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
    order by n.expire_at, n.id`.execute(ctx.db);
  return rows;
}

/** The caller's mobile accounts that are due soon or expired, the earliest first. */
export async function expiringAccounts(ctx: Context): Promise<Expiring[]> {
  const { rows } = await sql<Expiring>`
    select a.id, coalesce(nullif(a.alias, ''), a.login_name) as name, a.expire_at
    from mobile_account a
    where a.expire_at <= ${dueSoonAt(ctx)}
      and ${inCallerScope(ctx, "a.enterprise_id", "a.created_by")}
    order by a.expire_at, a.id`.execute(ctx.db);
  return rows;
}
