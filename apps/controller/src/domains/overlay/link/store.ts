import type { ExcessMetric, LinkExcess } from "@weft/contract/domains/devices/link-quality.ts";
import { anyLink, type linkList } from "@weft/contract/domains/overlay/link.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isFresh, isMeasuredUp, isPoor, isUp } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";
import { isOfPair } from "./pair.ts";

type LinkRow = OutputOf<typeof linkList>[number];
type Query = InputOf<typeof linkList>;

interface LinkRecord {
  readonly made: boolean;
  readonly enabled: boolean;
  readonly standing: boolean;
  readonly preference: number | null;
  readonly remark: string;
  readonly id: number;
  readonly space_id: number;
  readonly space_name: string;
  readonly ends: readonly [LinkRow["source"], LinkRow["source"]];
  readonly up: boolean;
  readonly fresh: boolean;
  readonly rtt_ms: number | null;
  readonly jitter_ms: number | null;
  readonly loss_percent: number | null;
  readonly in_rate: number | null;
  readonly out_rate: number | null;
  readonly at: Date | null;
  readonly excess: ExcessMetric | null;
  readonly excess_value: number | null;
  readonly excess_limit: number | null;
  readonly excess_since: Date;
}

const end = (side: "a" | "b") => {
  const ref = (name: string) => sql.ref(`${side}.${name}`);
  const line = (name: string) => sql.ref(`${side}_line.${name}`);
  const slot = sql.ref(`l.${side}_slot`);
  return sql`jsonb_build_object('nodeId', ${ref("id")}, 'kind', ${ref("kind")},
    'name', ${ref("name")}, 'slot', ${slot},
    'lineName', coalesce(${line("name")}, 'wan' || ${slot}))`;
};

/** Links that exist, and those that an operator made or closed and that are not established. */
const known = sql`(
  select l.id, l.enterprise_id, l.space_id, l.a_node_id, l.a_slot, l.b_node_id, l.b_slot,
    l.created_at, true as standing, coalesce(c.made, false) as made,
    coalesce(c.enabled, true) as enabled, c.preference, coalesce(c.remark, '') as remark
  from link l
  left join link_choice c on c.space_id = l.space_id and ${isOfPair("l", "c")}
  union all
  select c.id, c.enterprise_id, c.space_id, c.a_node_id, c.a_slot, c.b_node_id, c.b_slot,
    c.created_at, false, c.made, c.enabled, c.preference, c.remark
  from link_choice c
  where not exists (select from link l where l.space_id = c.space_id and ${isOfPair("l", "c")}))`;

const from = sql`
  from ${known} l
  join net_space p on p.id = l.space_id
  join node a on a.id = l.a_node_id
  join node b on b.id = l.b_node_id
  left join line a_line on a_line.node_id = l.a_node_id and a_line.slot = l.a_slot
  left join line b_line on b_line.node_id = l.b_node_id and b_line.slot = l.b_slot
  left join link_status s on s.link_id = l.id
  left join link_quality q on q.link_id = l.id`;

type Filters = Omit<Query, "page" | "limit" | "worst">;

/** A closed link needs no attention. */
const isTrouble = sql<SqlBool>`(l.enabled and (not ${isUp("s")} or ${isPoor("s")}))`;

/** Of a line at a site: all links of a POP would be of its own carriers. */
const byCarrier = (isp: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`((a.kind = 'cpe' and a_line.isp = ${isp}) or (b.kind = 'cpe' and b_line.isp = ${isp}))`;

function matching(ctx: Context, query: Filters) {
  const parts = [inCallerScope(ctx, "l.enterprise_id")];
  if (query.besideId) parts.push(sql`${query.besideId} not in (l.a_node_id, l.b_node_id)`);
  if (query.isp) parts.push(byCarrier(query.isp));
  if (query.trouble !== null) parts.push(sql<SqlBool>`${isTrouble} = ${query.trouble}::boolean`);
  if (query.netSpaceId) parts.push(sql`l.space_id = ${query.netSpaceId}`);
  if (query.nodeId) parts.push(sql`${query.nodeId} in (l.a_node_id, l.b_node_id)`);
  if (query.status !== null) {
    parts.push(query.status === 1 ? isUp("s") : sql<SqlBool>`(l.enabled and not ${isUp("s")})`);
  }
  if (query.name) {
    const either = [sql.ref("a.name"), sql.ref("b.name")].map((name) =>
      contains(name, query.name ?? ""),
    );
    parts.push(sql<SqlBool>`(${sql.join(either, sql` or `)})`);
  }
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`;
}

const columns = sql`
  l.id, l.made, l.enabled, l.standing, l.preference, l.remark,
  l.space_id, p.name as space_name, jsonb_build_array(${end("a")}, ${end("b")}) as ends,
  ${isUp("s")} as up, ${isFresh("s")} as fresh, s.rtt_ms, s.jitter_ms, s.loss_percent,
  s.in_rate, s.out_rate, s.at,
  q.metric as excess, q.value as excess_value, q.over as excess_limit, q.since as excess_since`;

/** Most links of one picture. */
const maxLinks = 2_000;

/** Links for a picture: of one enterprise or of all that the caller sees, made by some moment. */
export async function linksAmong(
  ctx: Context,
  which: { readonly groupid?: number | null; readonly at?: Date; readonly nodeId?: number },
): Promise<LinkRow[]> {
  const parts = [inCallerScope(ctx, "l.enterprise_id")];
  if (which.groupid) parts.push(sql`l.enterprise_id = ${which.groupid}`);
  if (which.at) parts.push(sql`l.created_at <= ${which.at}`);
  if (which.nodeId) parts.push(sql`${which.nodeId} in (l.a_node_id, l.b_node_id)`);
  const { rows } = await sql<LinkRecord>`
    select ${columns} ${from} where ${sql.join(parts, sql` and `)}
    order by l.id limit ${maxLinks}`.execute(ctx.db);
  return rows.map(toLinkRow);
}

export const linksOfNode = (ctx: Context, nodeId: number): Promise<LinkRow[]> =>
  linksAmong(ctx, { nodeId });

/** Links by what a list of them can be asked for. */
export interface LinkGroup extends Partial<Filters> {
  /** Not those over this line of this node. */
  readonly except?: { readonly nodeId: number; readonly slot: number };
}

const inGroup = (ctx: Context, { except, ...query }: LinkGroup): RawBuilder<SqlBool> => {
  const matches = matching(ctx, { ...anyLink, ...query });
  if (!except) return matches;
  const { nodeId, slot } = except;
  return sql<SqlBool>`(${matches} and not ((l.a_node_id = ${nodeId} and l.a_slot = ${slot})
    or (l.b_node_id = ${nodeId} and l.b_slot = ${slot})))`;
};

/** How many links each group has, and how many of them are down or poor: one statement for all groups. */
export async function countLinks(
  ctx: Context,
  groups: readonly LinkGroup[],
): Promise<{ readonly links: number; readonly bad: number }[]> {
  if (groups.length === 0) return [];
  const each = groups.map((group) => inGroup(ctx, group));
  const counts = each.map(
    (condition) => sql`jsonb_build_object('links', count(*) filter (where ${condition}),
      'bad', count(*) filter (where ${condition} and ${isTrouble}))`,
  );
  const { rows } = await sql<{ groups: { links: number; bad: number }[] }>`
    select jsonb_build_array(${sql.join(counts)}) as groups
    ${from} where ${sql.join(
      each.map((condition) => sql`(${condition})`),
      sql` or `,
    )}`.execute(ctx.db);
  return rows[0]?.groups ?? [];
}

/** Links with their last measures; a measure that is too old shows as none. */
export async function listLinks(ctx: Context, query: Query) {
  const where = matching(ctx, query);
  const measured = (column: string) =>
    sql`case when ${isMeasuredUp("s")} then ${sql.ref(`s.${column}`)} end desc nulls last`;
  const worst = query.worst
    ? sql`l.enabled desc, ${isPoor("s")} desc, ${measured("loss_percent")}, ${measured("rtt_ms")},`
    : sql``;
  // As the filter and the screen have it.
  const down = sql`(l.enabled and not ${isUp("s")}) desc, ${isUp("s")}`;
  const [selected, total] = await Promise.all([
    sql<LinkRecord>`
      select ${columns}
      ${from} where ${where}
      order by ${down}, ${worst} p.name, a.name, l.a_slot, b.name, l.b_slot
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*)::int as n ${from} where ${where}`.execute(ctx.db),
  ]);
  return { rows: selected.rows.map(toLinkRow), count: total.rows[0]?.n ?? 0 };
}

const excessOf = (row: LinkRecord): LinkExcess | null =>
  row.excess && {
    metric: row.excess,
    value: row.excess_value,
    limit: row.excess_limit,
    since: row.excess_since,
  };

function toLinkRow(row: LinkRecord): LinkRow {
  const [source, target] = row.ends;
  const measured = <T>(value: T | null): T | null => (row.fresh ? value : null);
  return {
    id: row.id,
    name: `${source.name} wan${source.slot} – ${target.name} wan${target.slot}`,
    netSpaceId: row.space_id,
    netSpaceName: row.space_name,
    source,
    target,
    made: row.made,
    enable: row.enabled,
    standing: row.standing,
    preference: row.preference,
    remark: row.remark,
    status: row.up ? 1 : 0,
    delay: measured(row.rtt_ms),
    jitter: measured(row.jitter_ms),
    loss: measured(row.loss_percent),
    inRate: measured(row.in_rate),
    outRate: measured(row.out_rate),
    updateTime: row.at,
    excess: row.up ? excessOf(row) : null,
  };
}
