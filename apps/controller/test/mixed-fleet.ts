/**
 * Sites and POPs of two enterprises that have a little of everything that states are made of, the same for the same seed:
 * what one compile of all of them makes is compared with what each alone makes.
 */

import { groupsCapability } from "@weft/contract/device/v1/groups.ts";
import { pathCapability } from "@weft/contract/device/v1/paths.ts";
import { formatCapabilities } from "@weft/contract/device/v1/sections.ts";
import { segmentsCapability } from "@weft/contract/device/v1/segments.ts";
import { circuitsCapability } from "@weft/contract/device/v1/shaping.ts";
import { standbyCapability } from "@weft/contract/device/v1/standby.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { type RawBuilder, sql } from "kysely";
import { pino } from "pino";
import { inScope } from "#db/pool.ts";
import { createChangeReader } from "#domains/delivery/publish/public.ts";
import type { TestApi } from "./api.ts";
import { type Chance, chanceOf } from "./random-space.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

/** Sites of each enterprise. */
const sitesEach = 12;
const logger = pino({ level: "silent" });

/** What devices report that they can do: nothing yet, too little, or everything here. */
const capabilities = [
  [],
  ["wireguard.kernel"],
  [
    ...formatCapabilities,
    groupsCapability,
    circuitsCapability,
    segmentsCapability,
    standbyCapability,
    pathCapability,
    "policy.routerConnlimit",
  ],
];

export interface MixedFleet {
  readonly sites: readonly number[];
  readonly pops: readonly number[];
  readonly all: readonly number[];
  /** Runs a statement with the rights of the whole tree. */
  run<Row>(query: RawBuilder<Row>): Promise<Row[]>;
  /** Has these nodes compiled. */
  mark(nodes: readonly number[]): Promise<void>;
}

interface Enterprise {
  readonly id: number;
  readonly pops: readonly number[];
  readonly sites: readonly number[];
}

export async function mixedFleet(api: TestApi, admin: string, seed: number): Promise<MixedFleet> {
  const chance = chanceOf(seed);
  const run: MixedFleet["run"] = (query) =>
    inScope(
      api.database.pools.owner,
      { kind: "all" },
      async (trx) => (await query.execute(trx)).rows,
    );
  const enterprises: Enterprise[] = [];
  for (const at of [1, 2]) enterprises.push(await addEnterprise(api, admin, run, at));
  const [first, second] = enterprises as [Enterprise, Enterprise];
  for (const [at, one] of enterprises.entries()) {
    for (const [place, node] of one.sites.entries())
      await fillSite(run, chance, { enterprise: one, node, third: at * 100 + place });
    // A POP serves both enterprises.
    const members = { popIds: [...one.pops, first.pops[0]], cpeIds: one.sites.slice(0, -2) };
    await addSpace(api, admin, one, members);
    await addPolicies(run, one);
  }
  await addServices(run, second);
  const sites = enterprises.flatMap((enterprise) => enterprise.sites);
  const pops = enterprises.flatMap((enterprise) => enterprise.pops);
  const all = [...sites, ...pops].sort((a, b) => a - b);
  for (const node of all) await report(run, node, capabilities[chance.below(3)] ?? []);
  const mark = async (nodes: readonly number[]): Promise<void> => {
    await run(sql`insert into weft.change (enterprise_id, node_ids, cause, created_by)
      values (1, ${[...nodes]}::bigint[], 'test', 1)`);
    const reader = createChangeReader(api.database.pools, logger);
    while ((await reader.run()) > 0);
  };
  return { sites, pops, all, run, mark };
}

async function addEnterprise(
  api: TestApi,
  admin: string,
  run: MixedFleet["run"],
  at: number,
): Promise<Enterprise> {
  const ids = { groupid: 1, cpeId: 0, popId: 0 };
  const draft = wireDraft("enterprise", "valid", ids, { name: `fleet-${at}` });
  const id = newIdOf(await api.post("/customer/enterprise/add", draft, admin));
  const nodes = async (kind: "cpe" | "pop", count: number) => {
    const rows = await run(sql<{ id: number }>`
      insert into weft.node (enterprise_id, kind, name, sn)
      select ${id}, ${kind}, ${`${kind}-${at}-`} || n, ${`${kind}-${at}-`} || n
      from generate_series(1, ${count}::int) n returning id`);
    return rows.map((row) => row.id);
  };
  const pops = await nodes("pop", 2);
  for (const [place, pop] of pops.entries())
    await run(sql`insert into weft.line (enterprise_id, node_id, slot, name, interface_name, addressing, ip,
        gateway, reachable, mtu)
      values (${id}, ${pop}, 1, 'one', 'wan1', 'static', ${`198.51.${at}.${place + 1}/24`},
        ${`198.51.${at}.254`}, true, 1400)`);
  return { id, pops, sites: await nodes("cpe", sitesEach) };
}

interface Place {
  readonly enterprise: Enterprise;
  readonly node: number;
  /** Of its networks. */
  readonly third: number;
}

async function fillSite(
  run: MixedFleet["run"],
  chance: Chance,
  { enterprise: { id }, node, third }: Place,
): Promise<void> {
  for (let slot = 1; slot <= 1 + chance.below(2); slot += 1)
    await run(sql`insert into weft.line (enterprise_id, node_id, slot, name, interface_name, addressing, mtu,
        up_kbps, down_kbps)
      values (${id}, ${node}, ${slot}, ${`line-${slot}`}, ${`wan${slot}`}, 'dhcp', 1400,
        ${chance.may() ? 20_000 : null}, null)`);
  await run(sql`insert into weft.lan_section (enterprise_id, node_id, interface_name, network, network6,
      enable_forward, enable_direct)
    select ${id}, ${node}, 'lan' || n, '10.' || ${third}::int || '.' || n || '.1/24',
      case when ${chance.may()} then 'fd57:' || ${third}::int || ':' || n || '::1/64' end, n > 1 or ${chance.may()}, true
    from generate_series(1, ${chance.below(3) + 1}::int) n`);
  if (chance.may())
    await run(sql`insert into weft.static_route (enterprise_id, node_id, destination, next_hop, metric, announce)
      values (${id}, ${node}, ${`10.${third}.128.0/20`}, ${`10.${third}.1.9`}, 5, ${chance.may()})`);
  if (chance.may())
    await run(sql`insert into weft.route_notice (enterprise_id, node_id, network, enabled)
      values (${id}, ${node}, ${`10.${third}.192.0/20`}, true)`);
  const acl = chance.may() ? "1" : "0";
  await run(sql`insert into weft.node_config (node_id, enterprise_id, items) values (${node}, ${id},
      ${JSON.stringify({ nXACLEnabled: acl, szCrontab: chance.may() ? "5 4 * * *" : "close" })}::jsonb)
    on conflict (node_id) do update set items = excluded.items`);
  await run(sql`insert into weft.acl_rule (enterprise_id, node_id, section, sort, name, action, protocol, src_ip)
    select ${id}, ${node}, 0, n, 'rule-' || n, 0, 'any', '172.16.' || n || '.0/24'
    from generate_series(1, ${chance.below(4)}::int) n`);
  if (chance.may())
    await run(sql`insert into weft.dns_entry (enterprise_id, node_id, type, domain, address)
      values (${id}, ${node}, 0, 'till.example.com', ${`10.${third}.1.20`})`);
  if (chance.may())
    await run(sql`insert into weft.router_connlimit (enterprise_id, node_id, name, enabled, max_connections)
      values (${id}, ${node}, 'own', true, 100)`);
}

async function addSpace(
  api: TestApi,
  admin: string,
  { id, sites }: Enterprise,
  members: { readonly popIds: readonly unknown[]; readonly cpeIds: readonly number[] },
): Promise<void> {
  const lists = {
    popIds: [...new Set(members.popIds)].join(),
    cpeIds: members.cpeIds.join(),
  };
  const ids = { groupid: id, cpeId: sites[0] ?? 0, popId: 1 };
  const draft = wireDraft("netSpace", "valid", ids, { groupid: id, topology: 0, ...lists });
  newIdOf(await api.post(netSpace.ops.add.path, draft, admin));
}

/** What is of an enterprise, of several sites of it, or between two of them. */
async function addPolicies(run: MixedFleet["run"], { id, sites, pops }: Enterprise): Promise<void> {
  const [one = 0, two = 0, three = 0, four = 0, five = 0, six = 0] = sites;
  await run(sql`insert into weft.blacklist (enterprise_id, type, value, enabled) values
    (${id}, 'ip', '192.0.2.9', true), (${id}, 'domain', 'games.example.com', true),
    (${id}, 'mac', '00-11-22-33-44-55', false)`);
  await run(sql`with made as (
      insert into weft.blacklist (enterprise_id, type, value, enabled) values (${id}, 'ip', '192.0.2.77', true)
      returning id)
    insert into weft.blacklist_node (owner_id, enterprise_id, node_enterprise_id, node_id)
    select id, ${id}::bigint, ${id}::bigint, ${two}::bigint from made`);
  await run(sql`with made as (
      insert into weft.cug (enterprise_id, name, bandwidth_bps, enabled) values (${id}, 'group', 64000, true)
      returning id)
    insert into weft.cug_node (owner_id, enterprise_id, node_enterprise_id, node_id)
    select id, ${id}::bigint, ${id}::bigint, unnest(${[one, two, three]}::bigint[]) from made`);
  await run(sql`insert into weft.circuit (enterprise_id, name, source_enterprise_id, source_id,
      target_enterprise_id, target_id, bandwidth_kbps, line_quality, enabled)
    values (${id}, 'to-site', ${id}, ${one}, ${id}, ${four}, 1000, 1, true),
      (${id}, 'to-pop', ${id}, ${two}, ${id}, ${pops[0]}, 2000, 1, true)`);
  await run(sql`with made as (
      insert into weft.segment_route (enterprise_id, name, cpe_id, destination, metric, enabled)
      values (${id}, 'over-both', ${one}, '10.200.0.0/16', 1, true) returning id)
    insert into weft.segment_route_node (owner_id, enterprise_id, node_enterprise_id, node_id, place)
    select made.id, ${id}::bigint, ${id}::bigint, p.id, p.place
    from made, unnest(${pops}::bigint[]) with ordinality as p (id, place)`);
  await run(sql`update weft.node set hot_standby_group = 1, hot_standby_priority = 100,
      hot_standby_role = case id when ${five}::bigint then 'active' else 'standby' end
    where id in (${five}::bigint, ${six}::bigint)`);
  const limit = { id: 1, name: "guests", enabled: true, max_connections: 50, remark: "" };
  await run(sql`with made as (
      insert into weft.router_template (enterprise_id, name, version) values (${id}, 'shops', 1) returning id
    ), issued as (
      insert into weft.router_template_version (enterprise_id, template_id, version, content, created_by)
      select ${id}, id, 1, ${JSON.stringify({ router_connlimit: [limit] })}::jsonb, 1 from made
      returning template_id)
    insert into weft.router_template_node (node_id, enterprise_id, template_id, node_enterprise_id, version)
    select n, ${id}::bigint, i.template_id, ${id}::bigint, 1
    from issued i, unnest(${sites.filter((_, at) => at % 3 !== 0)}::bigint[]) n`);
}

/** People on the road, at the second POP. */
async function addServices(run: MixedFleet["run"], { id, pops }: Enterprise): Promise<void> {
  await run(sql`insert into weft.client_service
      (enterprise_id, enabled, space_id, pop_id, pool, port, routes, terminal_types)
    select ${id}, true, (select max(m.space_id) from weft.space_member m where m.node_id = ${pops[1]}),
      ${pops[1]}, '10.88.0.0/16', 50000, '{}', '{}'`);
  await run(sql`insert into weft.mobile_account
      (enterprise_id, login_name, alias, terminal_type, public_key, address)
    select ${id}, 'road' || n, 'road' || n, 6, encode(sha256(n::text::bytea), 'base64'), '10.88.0.1'::inet + n
    from generate_series(1, 70) n`);
}

const report = (run: MixedFleet["run"], node: number, names: readonly string[]) =>
  run(sql`insert into weft.node_status (node_id, enterprise_id, tunnel_key, capabilities)
    select id, enterprise_id, encode(sha256(id::text::bytea), 'base64'),
      ${JSON.stringify(names.map((name) => ({ name, can: true, reason: null })))}::jsonb
    from weft.node where id = ${node}
    on conflict (node_id) do update set tunnel_key = excluded.tunnel_key, capabilities = excluded.capabilities`);
