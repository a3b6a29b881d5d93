/** What an enterprise has, and which of its sites need someone. */
import type { enterpriseOverview } from "@weft/contract/domains/monitoring/enterprise-overview.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

type Overview = OutputOf<typeof enterpriseOverview>;

/** Rows that a card has room for. */
const shown = 8;

const among = (ids: readonly number[], column: string) =>
  sql`${sql.ref(column)} = any(${[...ids]}::bigint[])`;

/** Sites that need someone, of the enterprise and of those below it, the worst first. */
export async function listTroubled(
  ctx: Context,
  ids: readonly number[],
): Promise<Overview["sites"]> {
  const { rows } = await sql<Overview["sites"][number]>`
    select n.id, n.name, n.enterprise_id as groupid, e.name as "enterpriseName",
      s.last_seen as "lastOnline", h.state as health, h.since as "healthSince",
      h.detail as "healthDetail"
    from node_health h join node n on n.id = h.node_id and n.kind = 'cpe'
      join enterprise e on e.id = n.enterprise_id
      left join node_status s on s.node_id = n.id
    where h.tone in ('bad', 'warn') and ${among(ids, "h.enterprise_id")}
      and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
    order by h.rank, h.since, n.id limit ${shown}`.execute(ctx.db);
  return rows;
}

/** How much the enterprise has itself, and how many enterprises are directly below it. */
export async function countBelongings(
  ctx: Context,
  groupid: number,
): Promise<Overview["has"] & { readonly customers: number }> {
  const isOfEnterprise = sql`enterprise_id = ${groupid} and ${inCallerScope(ctx, "enterprise_id", "created_by")}`;
  const { rows } = await sql<Overview["has"] & { customers: number }>`
    select
      (select count(*) from node where kind = 'cpe' and ${isOfEnterprise}) as cpe,
      (select count(*) from node where kind = 'pop' and ${isOfEnterprise}) as pop,
      (select count(*) from mobile_account where ${isOfEnterprise}) as account,
      (select count(*) from sys_user where ${isOfEnterprise}) as user,
      (select count(*) from circuit where ${isOfEnterprise}) as circuit,
      (select count(*) from net_space where ${isOfEnterprise}) as "netSpace",
      (select count(*) from enterprise
        where parent_id = ${groupid} and ${inCallerScope(ctx, "id")}) as customers`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw new Error("a select of counts gave no row");
  return row;
}
