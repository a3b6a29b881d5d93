import type { NodeKind } from "@weft/contract/domains/devices/enums.ts";
import type { logFlow } from "@weft/contract/domains/monitoring/flow-log.ts";
import type { cpeLog } from "@weft/contract/domains/monitoring/node-log.ts";
import type { OutputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import type { Paging } from "#metrics-store/flow-store.ts";

const mine = (ctx: Context) => inCallerScope(ctx, "n.enterprise_id", "n.created_by");

/**
 * Whether records that a node made may be asked for: own nodes, and POPs that are shared with the
 * caller. Of a shared one only records of the caller's own enterprises are returned, so a caller
 * limited to own data gets none of it.
 */
export async function hasRecords(ctx: Context, id: number, kind: NodeKind): Promise<boolean> {
  const { scope } = ctx.caller;
  const isShared = kind === "pop" && !(scope.kind === "enterprises" && scope.ownOnly);
  const { rows } = await sql<{ id: number }>`
    select n.id from node n where n.id = ${id} and n.kind = ${kind}
      and ${isShared ? sql<SqlBool>`true` : mine(ctx)}`.execute(ctx.db);
  return rows.length > 0;
}

/** Enterprises whose records the caller may see; null: all. */
export const ownersOf = ({ caller: { scope } }: Context): readonly number[] | null =>
  scope.kind === "all" ? null : scope.ids;

/** Entries that a tree has room for. */
const maxEntries = 10_000;

/** Enterprises and their CPEs, each after its parent. */
export async function listTree(
  ctx: Context,
  cpeId: number | null,
): Promise<OutputOf<typeof logFlow.tree>> {
  const ofNode = cpeId === null ? sql<SqlBool>`true` : sql<SqlBool>`n.id = ${cpeId}`;
  const { rows } = await sql<OutputOf<typeof logFlow.tree>[number]>`
    with cpes as materialized (
      select n.id, n.enterprise_id, n.name from node n
      where n.kind = 'cpe' and ${ofNode} and ${mine(ctx)} order by n.name, n.id limit ${maxEntries}
    )
    (select 'enterprise-' || e.id as id, 'enterprise-' || e.parent_id as "pId", e.name
     from enterprise e where ${inCallerScope(ctx, "e.id")}
       ${cpeId === null ? sql`` : sql`and e.id in (select enterprise_id from cpes)`}
     order by e.id limit ${maxEntries})
    union all
    (select 'cpe-' || c.id, 'enterprise-' || c.enterprise_id, c.name from cpes c
     order by c.name, c.id)`.execute(ctx.db);
  return rows;
}

export interface LinkedPair {
  readonly link: number;
  readonly cpeId: number;
  readonly cpeName: string;
  readonly peerId: number;
  readonly peerName: string;
  /** The end that measures is the CPE of the pair. */
  readonly isForward: boolean;
}

interface PairFilter {
  readonly peer: NodeKind;
  readonly cpeId: number | null;
  readonly popId: number | null;
}

/** Links that one question looks at. */
const maxLinks = 5_000;

/** Links between CPEs and nodes of a kind; a pair of two CPEs has the one with the lower id first. */
export async function listPairs(
  ctx: Context,
  { peer, cpeId, popId }: PairFilter,
): Promise<LinkedPair[]> {
  const parts: RawBuilder<unknown>[] = [inCallerScope(ctx, "l.enterprise_id")];
  if (cpeId !== null) parts.push(sql`${cpeId} in (l.a_node_id, l.b_node_id)`);
  if (popId !== null) parts.push(sql`${popId} in (l.a_node_id, l.b_node_id)`);
  // A caller limited to own data sees only links of own CPEs.
  const isInScope = inCallerScope(ctx, "c.enterprise_id", "c.created_by");
  const { rows } = await sql<LinkedPair>`
    select l.id as link, c.id as "cpeId", c.name as "cpeName", p.id as "peerId",
      p.name as "peerName", l.a_node_id = c.id as "isForward"
    from link l
    join node c on c.id in (l.a_node_id, l.b_node_id) and c.kind = 'cpe'
    join node p on p.id in (l.a_node_id, l.b_node_id) and p.id <> c.id and p.kind = ${peer}
    where ${sql.join(parts, sql` and `)} and ${isInScope}
      and (p.kind <> 'cpe' or c.id < p.id)
    order by l.id limit ${maxLinks}`.execute(ctx.db);
  return rows;
}

interface TransitionFilter {
  readonly id: number;
  readonly startTime: Date;
  readonly endTime: Date;
  /** True: only lines. */
  readonly lines: boolean;
}

/** What changed state on a node and its links, newest first. */
export async function listTransitions(
  ctx: Context,
  { id, startTime, endTime, lines }: TransitionFilter,
  { page, limit }: Paging,
): Promise<ResultOf<typeof cpeLog.log>> {
  const from = sql`from transition t
    where t.node_id = ${id} and t.at >= ${startTime} and t.at < ${endTime}
      -- A change of health follows from the others, which the log has; it is there for open screens.
      and ${lines ? sql<SqlBool>`t.kind = 'line'` : sql<SqlBool>`t.kind <> 'health'`}
      and ${inCallerScope(ctx, "t.enterprise_id", "t.created_by")}`;
  const [selected, total] = await Promise.all([
    sql<ResultOf<typeof cpeLog.log>["rows"][number]>`
      select t.sequence as id, t.at as "createTime", t.kind, t.up,
        case t.kind when 'state' then t.name end as outcome,
        case t.kind when 'alarm' then t.name::int end as level, coalesce(case
        when t.kind in ('state', 'alarm') then ''
        when t.kind = 'link' then (select b.name from link l join node b on b.id = l.b_node_id
          where l.id = t.link_id)
        else t.name end, '') as name
      ${from} order by t.at desc, t.sequence desc
      limit ${limit} offset ${(page - 1) * limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*) as n ${from}`.execute(ctx.db),
  ]);
  return { rows: selected.rows, count: total.rows[0]?.n ?? 0 };
}
