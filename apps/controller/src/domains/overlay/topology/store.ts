import type { NodeKind } from "@weft/contract/domains/devices/enums.ts";
import type { HealthDetail, HealthState } from "@weft/contract/domains/devices/health.ts";
import type { cpeLinkLog, topAllInfo } from "@weft/contract/domains/overlay/topology.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isUp } from "#domains/devices/public.ts";
import { linksAmong } from "#domains/overlay/link/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

type Picture = OutputOf<typeof topAllInfo>;
type TopNode = Picture["nodes"][number];

interface Which {
  readonly id?: number;
  readonly groupid?: number | null;
  /** Made by then; who was online is what the log of contact says. */
  readonly at?: Date;
}

interface NodeRecord {
  readonly id: number;
  readonly kind: NodeKind;
  readonly name: string;
  readonly enterprise_id: number;
  readonly longitude: string | null;
  readonly latitude: string | null;
  readonly online: boolean | null;
  readonly health: HealthState | null;
  readonly health_since: Date | null;
  readonly health_detail: HealthDetail | null;
  readonly links: number;
  readonly links_up: number;
}

/** Maximum number of nodes of one picture. */
const maxNodes = 5_000;

const degrees = (value: string | null): number | null => (value === null ? null : Number(value));

const onlineAt = (at: Date): RawBuilder<unknown> => sql`
  (select g.online from cpe_link_log g where g.node_id = n.id and g.at <= ${at}
   order by g.at desc limit 1)`;

/** An alarm of a shared POP is called by a policy of its owner. */
const shownDetail = (ctx: Context) => sql`
  case when h.state <> 'alarm' or ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
    then h.detail end`;

/**
 * Nodes of the caller, and the shared POPs that own ones are linked with. A POP that is only shared
 * is shown where a link of the picture ends at it.
 */
export async function nodesOf(ctx: Context, { id, groupid, at }: Which): Promise<TopNode[]> {
  const isInScope = inCallerScope(ctx, "n.enterprise_id", "n.created_by");
  const linked = sql`exists (select from link l where n.id in (l.a_node_id, l.b_node_id)
    and ${inCallerScope(ctx, "l.enterprise_id")})`;
  const parts: RawBuilder<unknown>[] = [sql`(${isInScope} or (n.kind = 'pop' and ${linked}))`];
  if (id !== undefined) parts.push(sql`n.id = ${id}`);
  if (groupid) {
    parts.push(sql`(n.enterprise_id = ${groupid} or (n.kind = 'pop' and exists (
      select from link l where n.id in (l.a_node_id, l.b_node_id) and l.enterprise_id = ${groupid})))`);
  }
  if (at) parts.push(sql`n.created_at <= ${at}`);
  const where = sql<SqlBool>`${sql.join(parts, sql` and `)}`;
  const { rows } = await sql<NodeRecord>`
    with cut as materialized (
      select n.* from node n where ${where} order by n.id limit ${maxNodes}
    ), ends as (
      select end_id, count(*)::int as links, count(*) filter (where is_up)::int as links_up
      from link l left join link_status ls on ls.link_id = l.id
      cross join lateral (values (l.a_node_id, ${isUp("ls")}), (l.b_node_id, ${isUp("ls")}))
        as e (end_id, is_up)
      where end_id in (select id from cut) group by end_id
    )
    select n.id, n.kind, n.name, n.enterprise_id, n.longitude, n.latitude,
      ${at ? onlineAt(at) : sql`coalesce(s.online, false)`} as online,
      ${at ? sql`null` : sql`h.state`} as health,
      ${at ? sql`null` : sql`h.since`} as health_since,
      ${at ? sql`null` : shownDetail(ctx)} as health_detail,
      coalesce(e.links, 0) as links, coalesce(e.links_up, 0) as links_up
    from cut n left join node_status s on s.node_id = n.id left join ends e on e.end_id = n.id
      left join node_health h on h.node_id = n.id
    order by n.id`.execute(ctx.db);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    name: row.name,
    groupid: row.enterprise_id,
    linkStatus: row.online === null ? null : Number(row.online),
    health: row.health,
    healthSince: row.health_since,
    healthDetail: row.health_detail ?? {},
    longitude: degrees(row.longitude),
    latitude: degrees(row.latitude),
    links: row.links,
    linksUp: row.links_up,
  }));
}

export async function pictureNow(ctx: Context, groupid: number | null): Promise<Picture> {
  const [nodes, links] = await Promise.all([
    nodesOf(ctx, { groupid }),
    linksAmong(ctx, { groupid }),
  ]);
  return { nodes, links };
}

/** What is still there of a past moment: metrics of links are not those of that moment, so none is given. */
export async function pictureAt(ctx: Context, groupid: number | null, at: Date): Promise<Picture> {
  const [nodes, links] = await Promise.all([
    nodesOf(ctx, { groupid, at }),
    linksAmong(ctx, { groupid, at }),
  ]);
  const then = links.map((link) => ({
    ...link,
    status: 0,
    delay: null,
    jitter: null,
    loss: null,
    inRate: null,
    outRate: null,
    updateTime: null,
    excess: null,
  }));
  return { nodes: nodes.map((node) => ({ ...node, linksUp: 0 })), links: then };
}

export async function listContact(ctx: Context, query: InputOf<typeof cpeLinkLog>) {
  const parts = [sql`g.node_id = ${query.cpeId}`];
  if (query.startTime) parts.push(sql`g.at >= ${query.startTime}`);
  if (query.endTime) parts.push(sql`g.at < ${query.endTime}`);
  const where = sql<SqlBool>`${sql.join(parts, sql` and `)}`;
  const [selected, total] = await Promise.all([
    sql<{ id: number; node_id: number; online: boolean; address: string | null; at: Date }>`
      select g.id, g.node_id, g.online, g.address, g.at from cpe_link_log g where ${where}
      order by g.at desc, g.id desc
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*)::int as n from cpe_link_log g where ${where}`.execute(
      ctx.db,
    ),
  ]);
  const rows = selected.rows.map(({ id, node_id, online, address, at }) => ({
    id,
    cpeId: node_id,
    status: Number(online),
    content: address,
    createTime: at,
  }));
  return { rows, count: total.rows[0]?.n ?? 0 };
}
