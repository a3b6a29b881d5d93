import { type HealthTone, healthTones } from "@weft/contract/domains/devices/health.ts";
import { cpeLeases } from "@weft/contract/domains/devices/host-lease.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { holds } from "@weft/contract/permissions.ts";
import { formatAddress, parseAddress } from "@weft/contract/rules/address.ts";
import { macIn } from "@weft/contract/rules/mac-forms.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isPoor, isUp } from "#domains/devices/public.ts";
import { dueSoonAt } from "#domains/enterprises/param-config/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";
import { hostidOf } from "./device.ts";
import type { NodeRecord } from "./row.ts";

/* The one search over CPEs or POPs: by name, serial number, IP address or hardware address. */

/** A part of an address is searched for from here: "10." and "fd00:", but no number of a site. */
const partOfAddress = /^(?=[\d.]*\.)[\d.]{3,}$|^(?=[\da-f:]*:)[\da-f:]{3,}$/;

/** Nodes (alias n) whose lines have an address that begins so. */
const byLine = (start: string): RawBuilder<SqlBool> => {
  const pattern = `${start}%`;
  return sql`n.id in (select l.node_id from line l where l.ip like ${pattern}
    union all select t.node_id from node_status t cross join lateral jsonb_array_elements(t.lines) one
      where one ->> 'address' like ${pattern})`;
};

/** Nodes in whose LAN sections an address lies. */
const byLan = (address: string): RawBuilder<SqlBool> =>
  sql`n.id in (select l.node_id from lan_section l
    where l.network::inet >>= ${address}::inet or l.network6::inet >>= ${address}::inet)`;

/** Nodes that gave a host an address. */
const byLease = (field: "address" | "mac", value: string): RawBuilder<SqlBool> =>
  sql`n.id in (select t.node_id from node_status t
    where t.leases @> ${JSON.stringify([{ [field]: value }])}::jsonb)`;

/**
 * What the caller may not read of a node does not find it either.
 * @param typed as it was typed: full-width characters and blanks around it do not count
 */
function nodesFoundBy({ caller }: Pick<Context, "caller">, typed: string): RawBuilder<SqlBool> {
  const text = typed.normalize("NFKC").trim().toLowerCase();
  const parsed = parseAddress(text);
  const address = parsed && formatAddress(parsed.family, parsed.address);
  const mac = macIn(text);
  const conditions = [contains(sql.ref("n.name"), typed), contains(sql.ref("n.sn"), typed)];
  if (partOfAddress.test(text) && holds(caller, line.ops.list.may)) {
    conditions.push(byLine(address ?? text));
  }
  if (address !== null && holds(caller, lanSection.ops.list.may)) conditions.push(byLan(address));
  if (holds(caller, cpeLeases.may)) {
    if (address !== null) conditions.push(byLease("address", address));
    if (mac !== null) conditions.push(byLease("mac", mac));
  }
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

export interface NodeQuery {
  readonly kind: "cpe" | "pop";
  readonly page: number;
  readonly limit: number;
  readonly id?: number;
  readonly ids?: readonly number[];
  /** What is searched for (search.ts). */
  readonly name?: string | null;
  readonly text?: string | null;
  readonly groupid?: number | null;
  readonly linkStatus?: number | null;
  readonly areaId?: number | null;
  readonly tone?: HealthTone | null;
  /** 4 due soon, 5 expired. */
  readonly expiry?: 4 | 5 | null;
  readonly orderBy?: string | null;
  readonly isAsc?: "asc" | "desc" | null;
}

type SortedTable = "node" | "status" | "health";

/** Wire name of a sortable field -> whose column it is, and its name. */
const sortColumns: Readonly<Record<string, readonly [SortedTable, string]>> = {
  id: ["node", "id"],
  name: ["node", "name"],
  alias: ["node", "name"],
  createTime: ["node", "created_at"],
  lastOnline: ["status", "last_seen"],
  expireTime: ["node", "expire_at"],
  health: ["health", "rank"],
};

const tokenState = (ctx: Context, node: string) => {
  const at = sql.ref(`${node}.expire_at`);
  return sql`case when ${at} <= now() then 5 when ${at} <= ${dueSoonAt(ctx)} then 4 else 3 end`;
};

/** Aliases in a statement. */
type Aliases = Readonly<Record<SortedTable, string>>;

/** The order as SQL, for the tables and once more for the page that was cut from them. */
function ordering({ orderBy, isAsc }: NodeQuery) {
  const [table, column] = sortColumns[orderBy ?? "id"] ?? ["node", "id"];
  const direction = isAsc === "asc" ? "asc" : "desc";
  // Named only where there are nulls: PostgreSQL takes no index for an order that it thinks differs.
  const nulls = table === "node" ? "" : isAsc === "asc" ? " nulls first" : " nulls last";
  return (aliases: Aliases) => {
    // Of those in the same state, the one that has been in it for longest.
    const older = table === "health" ? sql`${sql.ref(`${aliases.health}.since`)},` : sql``;
    return sql`${sql.ref(`${aliases[table]}.${column}`)} ${sql.raw(direction + nulls)}, ${older}
        ${sql.ref(`${aliases.node}.id`)} desc`;
  };
}

/** The tables that filter and order need: the page is cut from as few rows as can be. */
function source({ orderBy, linkStatus, tone }: NodeQuery) {
  const ordered = sortColumns[orderBy ?? "id"]?.[0];
  const status = linkStatus != null || ordered === "status";
  const health = tone != null || ordered === "health";
  return sql`node n ${status ? sql`left join node_status s on s.node_id = n.id` : sql``}
    ${health ? sql`left join node_health h on h.node_id = n.id` : sql``}`;
}

function conditions(ctx: Context, query: NodeQuery): RawBuilder<SqlBool> {
  const all: RawBuilder<unknown>[] = [sql`n.kind = ${query.kind}`];
  // A shared POP lies outside the scope: there the policy alone decides, over few rows.
  if (query.kind === "cpe") all.push(inCallerScope(ctx, "n.enterprise_id", "n.created_by"));
  if (query.id !== undefined) all.push(sql`n.id = ${query.id}`);
  if (query.ids) all.push(sql`n.id = any(${[...query.ids]}::bigint[])`);
  if (query.name) all.push(nodesFoundBy(ctx, query.name));
  if (query.text) all.push(nodesFoundBy(ctx, query.text));
  if (query.expiry === 5) all.push(sql`n.expire_at <= now()`);
  if (query.expiry === 4) all.push(sql`n.expire_at > now() and n.expire_at <= ${dueSoonAt(ctx)}`);
  if (query.areaId) all.push(sql`n.area_id = ${query.areaId}`);
  if (query.groupid) all.push(sql`n.enterprise_id = ${query.groupid}`);
  if (query.linkStatus != null) {
    all.push(sql`coalesce(s.online, false) = ${query.linkStatus === 1}`);
  }
  // A node that was never looked at is unknown.
  if (query.tone != null) all.push(sql`coalesce(h.tone, 'unknown') = ${query.tone}`);
  return sql<SqlBool>`${sql.join(all, sql` and `)}`;
}

/** How many nodes match, for the page beside it. */
export async function countNodes(ctx: Context, query: NodeQuery): Promise<number> {
  const result = await sql<{ total: number }>`
    select count(*)::int as total from ${source(query)} where ${conditions(ctx, query)}`.execute(
    ctx.db,
  );
  return result.rows[0]?.total ?? 0;
}

/** How many nodes that match have each tone. */
export async function countTones(
  ctx: Context,
  query: NodeQuery,
): Promise<Record<HealthTone, number>> {
  const ranked = { ...query, tone: null, orderBy: "health" };
  const { rows } = await sql<{ tone: HealthTone; count: number }>`
    select coalesce(h.tone, 'unknown') as tone, count(*)::int as count
    from ${source(ranked)} where ${conditions(ctx, ranked)} group by 1`.execute(ctx.db);
  const counts = new Map(rows.map(({ tone, count }) => [tone, count]));
  const of = (tone: HealthTone) => [tone, counts.get(tone) ?? 0] as const;
  return Object.fromEntries(healthTones.map(of)) as Record<HealthTone, number>;
}

/** Ids and names of the nodes that match, by id; at most this many. */
export async function nodeTargets(
  ctx: Context,
  query: Omit<NodeQuery, "page" | "limit">,
  maxRows: number,
): Promise<{ id: number; name: string }[]> {
  const whole = { ...query, page: 1, limit: maxRows };
  const { rows } = await sql<{ id: number; name: string }>`
    select n.id, n.name from ${source(whole)} where ${conditions(ctx, whole)}
    order by n.id limit ${maxRows}`.execute(ctx.db);
  return rows;
}

/**
 * State of the identity that counts: the approved one, else the newest. Asked in this order, as
 * nearly every node has an approved one, which its own index finds. Identities of another enterprise's POP
 * are not visible: one that was ever in contact had been admitted.
 */
const enrolmentFor = (ctx: Context) => sql`coalesce(
  (select state from node_identity where node_id = cut.id and state = 'approved'),
  (select state from node_identity where node_id = cut.id and state in ('pending', 'rejected')
   order by id desc limit 1),
  case when status.last_seen is not null and not ${inCallerScope(ctx, "cut.enterprise_id")}
    then 'approved' end)`;

/** Address of the first line: as the device reported it, else as configured. */
const wanIp = sql`(
  select coalesce(
    (select one ->> 'address' from jsonb_array_elements(status.lines) one
     where one ->> 'interfaceName' = line.interface_name limit 1), line.ip)
  from line where line.node_id = cut.id order by slot limit 1)`;

/** An active device without one that could take over is alone; of one that is out of contact nothing is known. */
const standbyState = sql`case
  when not status.online then null
  when status.standby_place = 'active'
    and not exists (select from node_status s where s.node_id = any (weft.standby_pair(cut.id))
      and s.node_id <> cut.id and s.online and s.standby_place = 'standby') then 'alone'
  else status.standby_place end`;

/**
 * One page of nodes with what the loop knows of each. The page is cut first; what is known of its
 * rows is read for these rows only, as values where it is one: planning a join costs more than it
 * takes to run these.
 */
export async function listNodes(ctx: Context, query: NodeQuery): Promise<NodeRecord[]> {
  const order = ordering(query);
  const result = await sql<NodeRecord>`
    with cut as materialized (
      select n.* from ${source(query)} where ${conditions(ctx, query)}
      order by ${order({ node: "n", status: "s", health: "h" })}
      limit ${query.limit} offset ${(query.page - 1) * query.limit}
    ), awaiting as materialized (
      select node_id from weft.awaited_lists(array(
        select cut.id from cut join node_status s on s.node_id = cut.id where s.revises))
    )
    select cut.*, status.online, status.last_seen, status.version, status.running_serial,
           e.name as enterprise_name, u.login_name as creator,
           (select serial from node_state where node_id = cut.id
            order by epoch desc, serial desc limit 1) as desired_serial,
           cut.id in (select node_id from awaiting) as awaits_networks,
           health.state as health, health.since as health_since, health.detail as health_detail,
           ${enrolmentFor(ctx)} as enrolment,
           coalesce(overlay.links, 0)::int as links, coalesce(overlay.up, 0)::int as links_up,
           coalesce(overlay.poor, 0)::int as links_poor,
           ${wanIp} as wan_ip, ${hostidOf("cut.id")} as hostid, ${tokenState(ctx, "cut")} as token_state,
           (select name from cpe_area where id = cut.area_id) as area_name,
           coalesce(config.items ->> 'nDynamicdhcp' = '1', false) as dynamic_dhcp,
           coalesce(config.cug_enabled, true) as cug_enabled, config.cug_bps,
           (select network from lan_section where node_id = cut.id order by id limit 1) as lan_ip,
           ${standbyState} as standby_state,
           case when status.online then status.standby_since end as standby_since,
           space.id as space_id, space.name as space_name
    from cut
    left join node_status status on status.node_id = cut.id
    left join node_health health on health.node_id = cut.id
    left join enterprise e on e.id = cut.enterprise_id
    left join sys_user u on u.id = cut.created_by
    left join node_config config on config.node_id = cut.id
    left join lateral (
      select count(*) as links, count(*) filter (where ${isUp("ls")}) as up,
        count(*) filter (where ${isPoor("ls")}) as poor
      from link l left join link_status ls on ls.link_id = l.id
      where cut.id in (l.a_node_id, l.b_node_id)
    ) overlay on true
    left join lateral (
      select p.id, p.name from space_member m join net_space p on p.id = m.space_id
      where m.node_id = cut.id and cut.kind = 'cpe'
    ) space on true
    order by ${order({ node: "cut", status: "status", health: "health" })}`.execute(ctx.db);
  return result.rows;
}
