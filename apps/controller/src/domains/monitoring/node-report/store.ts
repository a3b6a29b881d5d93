import type { NodeKind } from "@weft/contract/domains/devices/enums.ts";
import type {
  clientJournal,
  neighborReport,
} from "@weft/contract/domains/monitoring/node-report.ts";
import type { InputOf, OutputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { type OperationRow, storiesOfOperations } from "#domains/access/record/public.ts";
import { isFresh, isUp } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

/** Most links whose quality one chart is made of. */
const maxLinks = 8;

/** Links that a node probes itself, and so has metrics of. */
export async function probedLinks(ctx: Context, nodeId: number): Promise<string[]> {
  const { rows } = await sql<{ id: number }>`
    select l.id from link l where l.a_node_id = ${nodeId}
      and ${inCallerScope(ctx, "l.enterprise_id")} order by l.id limit ${maxLinks}`.execute(ctx.db);
  return rows.map(({ id }) => String(id));
}

interface LineOfNode {
  readonly nodeId: number;
  readonly nodeKind: NodeKind;
  readonly nodeName: string;
  readonly slot: number;
  readonly lineName: string;
  readonly interfaceName: string;
  readonly isp: string;
  readonly links: readonly number[];
}

/** A line of a node of the caller's, with the links that leave by it; null: there is none. */
export async function findLine(ctx: Context, lineId: number): Promise<LineOfNode | null> {
  const { rows } = await sql<LineOfNode>`
    select n.id as "nodeId", n.kind as "nodeKind", n.name as "nodeName", l.slot,
      l.name as "lineName", l.interface_name as "interfaceName", l.isp,
      array(select k.id from link k where k.a_node_id = n.id and k.a_slot = l.slot
        and ${inCallerScope(ctx, "k.enterprise_id")} order by k.id limit ${maxLinks}) as links
    from line l join node n on n.id = l.node_id
    where l.id = ${lineId} and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}`.execute(
    ctx.db,
  );
  return rows[0] ?? null;
}

/** Nodes at the other ends of a CPE's links; null when the CPE is not the caller's. */
export async function listNeighbors(
  ctx: Context,
  id: number,
): Promise<OutputOf<typeof neighborReport> | null> {
  const [selected, found] = await Promise.all([
    sql<{ id: number }>`select n.id from node n where n.id = ${id} and n.kind = 'cpe'
      and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}`.execute(ctx.db),
    sql<OutputOf<typeof neighborReport>[number]>`
      select p.id, p.kind, p.name, coalesce(bool_or(ns.online), false) as "linkStatus",
        count(*) as links, count(*) filter (where ${isUp("s")}) as "linksUp",
        min(s.rtt_ms) filter (where ${isFresh("s")}) as delay
      from link l
      join node p on p.id = case l.a_node_id when ${id} then l.b_node_id else l.a_node_id end
      left join link_status s on s.link_id = l.id
      left join node_status ns on ns.node_id = p.id
      where ${id} in (l.a_node_id, l.b_node_id) and ${inCallerScope(ctx, "l.enterprise_id")}
      group by p.id, p.kind, p.name
      order by count(*) filter (where ${isUp("s")}) = count(*), p.kind desc, p.name, p.id`.execute(
      ctx.db,
    ),
  ]);
  return selected.rows.length === 0 ? null : found.rows;
}

/** Whether a mobile account is the caller's. */
export async function hasAccount(ctx: Context, id: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    select a.id from mobile_account a where a.id = ${id}
      and ${inCallerScope(ctx, "a.enterprise_id", "a.created_by")}`.execute(ctx.db);
  return rows.length > 0;
}

/** What was done to a mobile account, out of the operation log. */
export async function listJournal(
  ctx: Context,
  { id, page, limit }: InputOf<typeof clientJournal>,
): Promise<ResultOf<typeof clientJournal>> {
  const from = sql`from audit l where l.resource = 'account' and l.row_id = ${id}
    and ${inCallerScope(ctx, "l.enterprise_id")}`;
  const [selected, total] = await Promise.all([
    sql<OperationRow>`
      select l.*, (select e.name from enterprise e where e.id = l.enterprise_id) as enterprise_name
      ${from} order by l.at desc, l.id desc
      limit ${limit} offset ${(page - 1) * limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*) as n ${from}`.execute(ctx.db),
  ]);
  const stories = await storiesOfOperations(ctx, selected.rows);
  const rows = stories.map(({ id, createTime, action, story, loginName, ip }) => ({
    id,
    createTime,
    action,
    story,
    loginName,
    ip,
  }));
  return { rows, count: total.rows[0]?.n ?? 0 };
}
