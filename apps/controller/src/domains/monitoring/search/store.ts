import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { cpeLeases } from "@weft/contract/domains/devices/host-lease.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import { mobileAccount } from "@weft/contract/domains/mobile/mobile-account.ts";
import { type FoundRow, maxFound } from "@weft/contract/domains/monitoring/search.ts";
import { alarmEventList } from "@weft/contract/domains/notifications/alarm-event.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { routerTemplate } from "@weft/contract/domains/templates/router-template.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import { holds } from "@weft/contract/permissions.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { eventSentence, type Reported } from "#domains/notifications/alarm/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";
import type { Wanted } from "./text.ts";

/** A name has the text, or its characters have these initials. */
const named = ({ text, initials }: Wanted, column: string): RawBuilder<SqlBool> => {
  const name = sql.ref(column);
  return initials === null
    ? contains(name, text)
    : sql<SqlBool>`(${contains(name, text)} or ${name} ~ ${initials})`;
};

/** How well a name fits: 0 it is the text, 1 it begins so, 2 it has it, 3 only its initials are. */
const fit = ({ text }: Wanted, column: string) => sql<number>`
  case when lower(${sql.ref(column)}) = lower(${text}) then 0
    when starts_with(lower(${sql.ref(column)}), lower(${text})) then 1
    when strpos(lower(${sql.ref(column)}), lower(${text})) > 0 then 2 else 3 end`;

/** Where a node has an address: each for who may read the list that it stands in. */
const byAddress = (ctx: Context, address: string) =>
  sql.join(
    [
      ...(holds(ctx.caller, line.ops.list.may) ? [byLine(ctx, address)] : []),
      ...(holds(ctx.caller, lanSection.ops.list.may) ? [byLan(ctx, address)] : []),
      byLease(ctx, "address", address),
    ],
    sql` `,
  );

const byLine = (ctx: Context, address: string) => sql`
  union all
  select l.node_id, 0, 'line', split_part(l.ip, '/', 1) from line l
  where ${inCallerScope(ctx, "l.enterprise_id")} and host(l.ip::inet) = ${address}
  union all
  select s.node_id, 0, 'line', split_part(one ->> 'address', '/', 1)
  from node_status s cross join lateral jsonb_array_elements(s.lines) one
  where ${inCallerScope(ctx, "s.enterprise_id")}
    and split_part(one ->> 'address', '/', 1) = ${address}`;

const byLan = (ctx: Context, address: string) => sql`
  union all
  select l.node_id, 2, 'lan', coalesce(l.network6, l.network) from lan_section l
  where ${inCallerScope(ctx, "l.enterprise_id")} and l.network6::inet >>= ${address}::inet
  union all
  select l.node_id, 2, 'lan', l.network from lan_section l
  where ${inCallerScope(ctx, "l.enterprise_id")} and l.network::inet >>= ${address}::inet`;

/** The host that has a lease of a CPE, by its address or hardware address. */
const byLease = (ctx: Context, field: "address" | "mac", value: string) =>
  holds(ctx.caller, cpeLeases.may)
    ? sql`
  union all
  select s.node_id, 1, 'host',
    concat_ws(' ', one ->> 'address', one ->> 'mac', one ->> 'name')
  from node_status s cross join lateral jsonb_array_elements(s.leases) one
  where ${inCallerScope(ctx, "s.enterprise_id")}
    and s.leases @> ${JSON.stringify([{ [field]: value }])}::jsonb and one ->> ${field} = ${value}`
    : sql``;

/** A POP that is shared is seen by all that may use it: row-level security decides. */
const seen = (ctx: Context) =>
  sql`(n.kind = 'pop' or ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")})`;

/** Nodes with the place that fits best: id, fit, by and value. */
const nodeHits = (ctx: Context, wanted: Wanted) => {
  const { address, mac, text } = wanted;
  return sql`
    select n.id, ${fit(wanted, "n.name")} as fit, null as by, n.name as value
    from node n where ${seen(ctx)} and ${named(wanted, "n.name")}
    union all
    select n.id, ${fit(wanted, "n.sn")}, 'serial', n.sn
    from node n where ${seen(ctx)} and ${contains(sql.ref("n.sn"), text)}
    ${address === null ? sql`` : byAddress(ctx, address)}
    ${mac === null ? sql`` : byLease(ctx, "mac", mac)}`;
};

/** Accounts by login name, name, phone number and the address that they have in the tunnel. */
const accountHits = (ctx: Context, wanted: Wanted) => {
  const columns = [
    ["alias", null],
    ["login_name", "login"],
    ["phone", "phone"],
  ] as const;
  const scope = inCallerScope(ctx, "a.enterprise_id", "a.created_by");
  const address =
    wanted.address === null
      ? sql``
      : sql`union all select a.id, 0, 'address', host(a.address) from mobile_account a
          where ${scope} and host(a.address) = ${wanted.address}`;
  return sql`${sql.join(
    columns.map(
      ([column, by]) => sql`
        select a.id, ${fit(wanted, `a.${column}`)} as fit, ${by}::text as by, a.${sql.ref(column)} as value
        from mobile_account a where ${scope} and ${named(wanted, `a.${column}`)}`,
    ),
    sql` union all `,
  )} ${address}`;
};

/** One row of the answer, of statements that give id, name, enterprise, fit, by and value. */
const plain = (
  ctx: Context,
  wanted: Wanted,
  kind: FoundRow["kind"],
  table: string,
  owner: string,
  creator?: string,
) => sql`
  select ${kind} as kind, r.id, r.name, ${sql.ref(owner)} as owner, ${fit(wanted, "r.name")} as fit,
    null::text as by, '' as value, null::smallint as level, null::int as rank
  from ${sql.table(table)} r
  where ${inCallerScope(ctx, owner, creator)} and ${named(wanted, "r.name")}`;

/** Items that are an object, not the name of a part. */
const isNameOfPart = sql<SqlBool>`left(r.item_name, 1) <> '{'`;

/** Open alarms of nodes, lines and links with this name, and of the policy. */
const alarms = (ctx: Context, wanted: Wanted) => sql`
  select 'alarm' as kind, r.id, r.node_name as name, r.enterprise_id as owner,
    ${fit(wanted, "r.node_name")} as fit, null::text as by,
    '' as value, r.level, r.level::int as rank
  from alarm_event r
  where r.cleared_at is null and ${inCallerScope(ctx, "r.enterprise_id", "r.created_by")}
    and (${named(wanted, "r.node_name")} or (${isNameOfPart} and ${named(wanted, "r.item_name")})
      or ${named(wanted, "r.strategy_name")})`;

/** The list whose rows a kind is of: who may not ask for it finds none of them. */
const listOf = {
  cpe: cpe.ops.list,
  pop: pop.ops.list,
  account: mobileAccount.ops.list,
  enterprise: enterprise.ops.list,
  netSpace: netSpace.ops.list,
  template: routerTemplate.ops.list,
  alarm: alarmEventList,
} as const satisfies Record<FoundRow["kind"], Endpoint>;

/** What the text finds in all that the caller sees, at most `maxFound` of a kind, the best first. */
export async function find(ctx: Context, wanted: Wanted): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow & { readonly alarm: Reported | null }>`
    with node_hit as (
      select distinct on (id) * from (${nodeHits(ctx, wanted)}) hit order by id, fit),
    account_hit as (
      select distinct on (id) * from (${accountHits(ctx, wanted)}) hit order by id, fit),
    found as (
      select n.kind, n.id, n.name, n.enterprise_id as owner, hit.fit, hit.by,
        case when hit.by is null then '' else hit.value end as value, null::smallint as level, h.rank
      from node_hit hit join node n on n.id = hit.id and ${seen(ctx)}
        left join node_health h on h.node_id = n.id
      union all
      select 'account', a.id, a.alias, a.enterprise_id, hit.fit, hit.by,
        case when hit.by is null then '' else hit.value end, null, null
      from account_hit hit join mobile_account a on a.id = hit.id
      union all ${plain(ctx, wanted, "enterprise", "enterprise", "r.id")}
      union all ${plain(ctx, wanted, "netSpace", "net_space", "r.enterprise_id", "r.created_by")}
      union all ${plain(ctx, wanted, "template", "router_template", "r.enterprise_id", "r.created_by")}
      union all ${alarms(ctx, wanted)}),
    placed as (
      select *, row_number() over (
        partition by kind order by fit, rank nulls last, name, id) as place from found)
    select a.alarm, p.kind, p.id, p.name, coalesce(e.name, '') as "enterpriseName", p.by, p.value, p.level,
      h.state as health, h.since as "healthSince", coalesce(h.detail, '{}') as "healthDetail",
      s.last_seen as "lastOnline"
    from placed p left join enterprise e on e.id = p.owner
      left join node_health h on p.kind in ('cpe', 'pop') and h.node_id = p.id
      left join node_status s on p.kind in ('cpe', 'pop') and s.node_id = p.id
      left join lateral (select jsonb_build_object('level', r.level, 'metric', r.metric,
          'node_kind', r.node_kind, 'node_name', r.node_name, 'item_name', r.item_name,
          'value', r.value) as alarm
        from alarm_event r where p.kind = 'alarm' and r.id = p.id) a on true
    where p.place <= ${maxFound} order by p.kind, p.place`.execute(ctx.db);
  const language = ctx.caller.language === "zh_cn" ? 0 : 1;
  return rows
    .filter(({ kind }) => holds(ctx.caller, listOf[kind].may))
    .map(({ alarm, ...row }) => (alarm ? { ...row, value: eventSentence(alarm)[language] } : row));
}
