import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { interfaceOf } from "@weft/contract/rules/vlan-interface.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { cpes, ofAllCpes, ownNode } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { tableStore } from "#kernel/table-store.ts";

export const lanSectionStore = tableStore(lanSection, {
  table: "lan_section",
  columns: {
    id: "id",
    nCpeID: "node_id",
    interfaceName: "interface_name",
    network: "network",
    network6: "network6",
    vlan: "vlan",
    enableForward: "enable_forward",
    enableDirect: "enable_direct",
    enableCentral: "enable_central",
    ownAddress: "own_address",
    dhcpStart: "dhcp_start",
    dhcpEnd: "dhcp_end",
    ipv6Slot: "ipv6_slot",
    ipv6Subnet: "ipv6_subnet",
    remark: "remark",
  },
  owner: { row: "nCpeID", of: cpes },
  constraints: {
    lan_section_vlan: { field: "vlan" },
    interface_owner: { field: "interfaceName" },
  },
  matches: ofAllCpes,
});

type Switch = "enable_forward" | "enable_direct";

/** Turns one switch of several sections of a node on or off; all of them or none. */
export async function setSwitch(
  ctx: Context,
  nodeId: number,
  ids: readonly number[],
  column: Switch,
  on: boolean,
): Promise<{
  enterpriseId: number;
  rows: readonly { id: number; network: string | null; old: boolean }[];
}> {
  const before = await ctx.db
    .selectFrom("lan_section")
    .select(["id", "enterprise_id", "network", `${column} as old`])
    .where(sql<SqlBool>`id = any(${[...ids]}::bigint[])`)
    .where("node_id", "=", nodeId)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .forUpdate()
    .execute();
  const [first] = before;
  if (!first || before.length !== new Set(ids).size) refuse("notFound");
  await ctx.db
    .updateTable("lan_section")
    .set({ [column]: on, updated_at: sql`now()` })
    .where(sql<SqlBool>`id = any(${[...ids]}::bigint[])`)
    .execute();
  return { enterpriseId: first.enterprise_id, rows: before };
}

/** The networks of some sections of a node, inside the caller's scope. */
export async function sectionsOf(ctx: Context, nodeId: number, ids: readonly number[]) {
  return ctx.db
    .selectFrom("lan_section")
    .select(["id", "network", "network6"])
    .where(sql<SqlBool>`id = any(${[...ids]}::bigint[])`)
    .where("node_id", "=", nodeId)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .execute();
}

export interface OtherNetwork {
  readonly siteName: string;
  readonly network: string;
}

interface OwnNetwork extends OtherNetwork {
  /** Of the section that has it; null: of a line. */
  readonly sectionId: number | null;
  /** It is the router of a line, which the device is not itself. */
  readonly isGateway: boolean;
}

/**
 * Networks that share a routing table with a segment of the node, of the node itself: its
 * segments and the networks of its lines. An address of both would be looked for on one side only. And the routers of its lines.
 * Whoever made them.
 */
export async function ownNetworks(ctx: Context, nodeId: number): Promise<OwnNetwork[]> {
  const result = await sql<OwnNetwork>`
    select n.name as "siteName", one.network, s.id as "sectionId", false as "isGateway"
    from weft.lans_on(${ownNode(ctx, nodeId)}) s
    join node n on n.id = s.node_id
    cross join lateral unnest(array[s.network, s.network6]) as one(network)
    where one.network is not null
    union all
    select l.name, one.network, null, one.is_gateway from weft.lines_on(${ownNode(ctx, nodeId)}) l
    cross join lateral (values
      (l.ip, false), (case when l.addressing = 'static' then l.gateway end, true),
      (case when l.ipv6_mode = 'static' then l.ip6 end, false),
      (case when l.ipv6_mode = 'static' then l.gateway6 end, true)) as one(network, is_gateway)
    where one.network is not null`.execute(ctx.db);
  return result.rows;
}

/**
 * Who has the interface of a section already: name of the WAN link, or network of a LAN on another card whose VLAN has an
 * interface of the same name; null: nobody.
 * @param id of the section; null: it is new
 */
export async function ownerOfInterface(
  ctx: Context,
  {
    nCpeID,
    interfaceName,
    vlan,
  }: Pick<DraftOf<typeof lanSection>, "nCpeID" | "interfaceName" | "vlan">,
  id: number | null,
): Promise<string | null> {
  const node = ownNode(ctx, nCpeID);
  const { rows } = await sql<{ name: string }>`
    select l.name from weft.lines_on(${node}) l
    where l.interface_name = ${interfaceOf(interfaceName, vlan)}
    union all
    select s.network from weft.lans_on(${node}) s
    where s.id is distinct from ${id}::bigint
      and weft.is_interface_of_two(s.interface_name, s.vlan, ${interfaceName}, ${vlan}::integer)`.execute(
    ctx.db,
  );
  return rows[0]?.name ?? null;
}

/** The switches of one section as they are; null when it is not the caller's. */
export async function switchesOf(ctx: Context, id: number) {
  const section = await ctx.db
    .selectFrom("lan_section")
    .select([
      "enable_forward as enableForward",
      "enable_direct as enableDirect",
      "enable_central as enableCentral",
    ])
    .where("id", "=", id)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .executeTakeFirst();
  return section ?? null;
}

/** The other device of the node's standby group, with its sections; null: there is none. */
export async function otherOfPair(ctx: Context, nodeId: number) {
  // One that a colleague made is there as well, by its number.
  const { rows } = await sql<{ id: number; name: string }>`
    select other.id, coalesce(n.name, '#' || other.id) as name
    from (select unnest(${ownNode(ctx, nodeId)})) as own (id)
    cross join lateral unnest(weft.standby_pair(own.id)) as other (id) left join node n on n.id = other.id
    where other.id <> ${nodeId}`.execute(ctx.db);
  const [partner] = rows;
  if (!partner) return null;
  return { name: partner.name, sections: await sectionsOn(ctx, sql`array[${partner.id}::bigint]`) };
}

/** Sections of a node as its pair shares them. */
export const sharedSections = (ctx: Context, nodeId: number) =>
  sectionsOn(ctx, ownNode(ctx, nodeId));

interface SharedNetworks {
  readonly network: string;
  readonly network6: string | null;
  readonly ownAddress: string | null;
}

/** @param those an array of nodes that are the caller's, or stand for one that is */
async function sectionsOn(ctx: Context, those: RawBuilder<unknown>): Promise<SharedNetworks[]> {
  const { rows } = await sql<SharedNetworks>`
    select s.network, s.network6, s.own_address as "ownAddress" from weft.lans_on(${those}) s
    order by s.id`.execute(ctx.db);
  return rows;
}
