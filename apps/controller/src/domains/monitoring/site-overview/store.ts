/** Lines and links of a node, and when they and the node changed state. */
import type { NodeKind } from "@weft/contract/domains/devices/enums.ts";
import type { ExcessMetric, LinkExcess } from "@weft/contract/domains/devices/link-quality.ts";
import { maxAxisLinks } from "@weft/contract/domains/monitoring/site-overview.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isFresh, isPoor, isUp } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import type { Span, Transition } from "./stretches.ts";

export interface OwnLine {
  readonly slot: number;
  readonly name: string;
  readonly interfaceName: string;
  readonly isp: string;
}

export interface OwnLink {
  readonly id: number;
  /** The end that probes, and reports when the link goes up and down. */
  readonly probedBy: number;
  readonly slot: number;
  readonly peer: {
    readonly id: number;
    readonly kind: NodeKind;
    readonly name: string;
    readonly slot: number;
  };
  /** Carrier at the end that is a site; empty: the line names none. */
  readonly isp: string;
  readonly spaceName: string;
  readonly up: boolean;
  readonly loss: number | null;
  readonly delay: number | null;
  readonly jitter: number | null;
  readonly excess: LinkExcess | null;
}

/** Lines of a node in the order of their slots. */
export async function listLines(ctx: Context, nodeId: number): Promise<OwnLine[]> {
  const { rows } = await sql<OwnLine>`
    select slot, name, interface_name as "interfaceName", isp from line
    where node_id = ${nodeId} order by slot`.execute(ctx.db);
  return rows;
}

interface OwnRecord extends Omit<OwnLink, "excess"> {
  readonly count: number;
  readonly excess_metric: ExcessMetric | null;
  readonly excess_value: number | null;
  readonly excess_limit: number | null;
  readonly excess_since: Date;
}

const toOwnLink = (row: OwnRecord): OwnLink => {
  const { count: _, excess_metric, excess_value, excess_limit, excess_since, ...link } = row;
  const excess = excess_metric && {
    metric: excess_metric,
    value: excess_value,
    limit: excess_limit,
    since: excess_since,
  };
  return { ...link, excess };
};

/** The worst links of a node as they are now, and how many it has. */
export async function listOwnLinks(
  ctx: Context,
  nodeId: number,
): Promise<{ readonly links: readonly OwnLink[]; readonly count: number }> {
  const fresh = (column: string) =>
    sql`case when ${isFresh("s")} then ${sql.ref(`s.${column}`)}::float8 end`;
  const { rows } = await sql<OwnRecord>`
    select l.id, l.a_node_id as "probedBy", e.slot,
      jsonb_build_object('id', p.id, 'kind', p.kind, 'name', p.name, 'slot', e.peer_slot) as peer,
      coalesce(i.isp, '') as isp, sp.name as "spaceName", ${isUp("s")} as up,
      round(${fresh("loss_percent")}::numeric, 1)::float8 as loss, ${fresh("rtt_ms")} as delay,
      ${fresh("jitter_ms")} as jitter, count(*) over () as count,
      case when ${isPoor("s")} then q.metric end as excess_metric, q.value as excess_value,
      q.over as excess_limit, q.since as excess_since
    from link l
    cross join lateral (values (l.a_node_id, l.a_slot, l.b_node_id, l.b_slot),
      (l.b_node_id, l.b_slot, l.a_node_id, l.a_slot)) as e (node_id, slot, peer_id, peer_slot)
    join node n on n.id = e.node_id join node p on p.id = e.peer_id
    join net_space sp on sp.id = l.space_id
    left join line i on i.node_id = case when n.kind = 'pop' then e.peer_id else e.node_id end
      and i.slot = case when n.kind = 'pop' then e.peer_slot else e.slot end
    left join link_status s on s.link_id = l.id
    left join link_quality q on q.link_id = l.id
    where ${nodeId} in (l.a_node_id, l.b_node_id) and e.node_id = ${nodeId}
      and ${inCallerScope(ctx, "l.enterprise_id")}
    order by ${isUp("s")}, ${isPoor("s")} desc, loss desc nulls last, delay desc nulls last, e.slot, p.name, l.id
    limit ${maxAxisLinks}`.execute(ctx.db);
  return { links: rows.map(toOwnLink), count: rows[0]?.count ?? 0 };
}

export interface Transitions {
  /** Contact by node. */
  readonly contact: ReadonlyMap<number, readonly Transition[]>;
  /** By interface of the node. */
  readonly lines: ReadonlyMap<string, readonly Transition[]>;
  readonly links: ReadonlyMap<number, readonly Transition[]>;
}

interface TransitionRow extends Transition {
  readonly kind: "node" | "line" | "link";
  readonly nodeId: number;
  readonly name: string | null;
  readonly linkId: number | null;
}

/** Changes of state within a span, and the last one before it of each, in the order of time. */
export async function listTransitions(
  ctx: Context,
  nodeId: number,
  { lines, links }: { readonly lines: readonly OwnLine[]; readonly links: readonly OwnLink[] },
  { from, to }: Span,
): Promise<Transitions> {
  const scope = inCallerScope(ctx, "t.enterprise_id", "t.created_by");
  const devices = [...new Set([nodeId, ...links.map(({ probedBy }) => probedBy)])];
  const of = (keys: RawBuilder<unknown>, isOfSite: RawBuilder<SqlBool>) => sql`
    select o.* from ${keys} cross join lateral (
      (select t.sequence, t.kind, t.node_id, t.name, t.link_id, t.at, t.up from transition t
        where ${isOfSite} and t.at <= ${from} and ${scope} order by t.at desc, t.sequence desc limit 1)
      union all
      (select t.sequence, t.kind, t.node_id, t.name, t.link_id, t.at, t.up from transition t
        where ${isOfSite} and t.at > ${from} and t.at < ${to} and ${scope})) o`;
  const names = lines.map(({ interfaceName }) => interfaceName);
  const ids = links.map(({ id }) => id);
  const { rows } = await sql<TransitionRow>`
    select kind, node_id as "nodeId", name, link_id as "linkId", at, up from (
      ${of(sql`unnest(${devices}::bigint[]) as k (id)`, sql`t.node_id = k.id and t.kind = 'node'`)}
      union all
      ${of(
        sql`unnest(${names}::text[]) as k (name)`,
        sql`t.node_id = ${nodeId} and t.kind = 'line' and t.name = k.name`,
      )}
      union all
      ${of(sql`unnest(${ids}::bigint[]) as k (id)`, sql`t.link_id = k.id and t.kind = 'link'`)}
    ) found order by at, sequence`.execute(ctx.db);
  const ofKind = (kind: TransitionRow["kind"]) => rows.filter((row) => row.kind === kind);
  return {
    contact: Map.groupBy(ofKind("node"), (row) => row.nodeId),
    lines: Map.groupBy(ofKind("line"), ({ name }) => name ?? ""),
    links: Map.groupBy(ofKind("link"), ({ linkId }) => linkId ?? 0),
  };
}
