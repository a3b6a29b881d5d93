import type { enterpriseLineList } from "@weft/contract/domains/monitoring/enterprise-report.ts";
import type { InputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

type Listed = ResultOf<typeof enterpriseLineList>["rows"][number];

const mine = (ctx: Context) => inCallerScope(ctx, "n.enterprise_id", "n.created_by");

/** Lines of an enterprise's CPEs, by site. */
export async function listLines(
  ctx: Context,
  { groupid, page, limit }: InputOf<typeof enterpriseLineList>,
): Promise<ResultOf<typeof enterpriseLineList>> {
  const from = sql`from line l join node n on n.id = l.node_id
    where n.enterprise_id = ${groupid} and n.kind = 'cpe' and ${mine(ctx)}`;
  const [selected, total] = await Promise.all([
    sql<Listed>`
      select l.id, l.name, n.id as "cpeId", n.name as alias, l.slot, l.isp,
        l.interface_name as "interfaceName", l.line_quality as "lineQuality",
        l.up_kbps as "upBandwidth", l.down_kbps as "downBandwidth",
        coalesce((select s.online from node_status s where s.node_id = n.id), false) as "linkStatus"
      ${from} order by n.name, n.id, l.slot limit ${limit} offset ${(page - 1) * limit}`.execute(
      ctx.db,
    ),
    sql<{ n: number }>`select count(*) as n ${from}`.execute(ctx.db),
  ]);
  return { rows: selected.rows, count: total.rows[0]?.n ?? 0 };
}

export interface ReportedLine {
  readonly node: number;
  readonly interfaceName: string;
  /** Links that leave the site by this line and that the site itself probes. */
  readonly links: readonly number[];
}

/** Most links whose quality one chart is made of. */
const maxLinks = 8;

/** A line of an enterprise's CPE; null: not there, or not the caller's. */
export async function findLine(
  ctx: Context,
  groupid: number,
  lineId: number,
): Promise<ReportedLine | null> {
  const { rows } = await sql<ReportedLine>`
    select n.id as node, l.interface_name as "interfaceName",
      array(select k.id from link k where k.a_node_id = n.id and k.a_slot = l.slot
        order by k.id limit ${maxLinks}) as links
    from line l join node n on n.id = l.node_id
    where l.id = ${lineId} and n.enterprise_id = ${groupid} and n.kind = 'cpe'
      and ${mine(ctx)}`.execute(ctx.db);
  return rows[0] ?? null;
}
