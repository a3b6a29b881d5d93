import {
  type CpeConfig,
  type CpeItem,
  cpeConfig,
  cpeItemNames,
  type GivenItems,
} from "@weft/contract/domains/devices/cpe-config.ts";
import type { XMode } from "@weft/contract/domains/devices/enums.ts";
import { type SqlBool, sql } from "kysely";
import { z } from "zod";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { unwritten, versionText } from "#kernel/row-version.ts";
import { inCallerScope } from "#kernel/scope.ts";

type Wire = Record<string, string | number>;

/** The defaults of a device. */
const defaults: Readonly<Wire> = {
  nDynamicdhcp: 0,
  nXACLEnabled: 1,
  nDataEncrypt: 1,
  nWanWebAlloc: 0,
  nHidden: 0,
  nHidden5G: 0,
  szCrontab: "close",
  byteLog: 1,
  auditLog: 0,
  isCloudManage: 1,
  bandwidth: 0,
  mtu: 0,
  ssid: "",
  ssid5G: "",
  nodeLifetime: 0,
};

export interface ConfiguredNode {
  readonly id: number;
  readonly enterprise_id: number;
  readonly kind: "cpe" | "pop";
  readonly x_mode: number;
  readonly items: Wire | null;
  readonly updated_at: Date | null;
  /** null: nothing was ever set. */
  readonly row_version: number | null;
}

const toConfig = ({ items, x_mode }: ConfiguredNode): CpeConfig =>
  z.decode(cpeConfig, { ...defaults, ...items, xMode: x_mode } as z.input<typeof cpeConfig>);

/** What is set on a node; what is not set has its default value. */
export const configOf = (node: ConfiguredNode) => ({
  ...toConfig(node),
  updateTime: node.updated_at,
});

/** The mode is a column of the node, whose own form edits it as well. */
export const configVersionOf = ({ row_version, x_mode }: ConfiguredNode): string =>
  `${row_version === null ? unwritten : versionText(row_version)}-${x_mode}`;

const nodes = (ids: readonly number[], kind: "cpe" | "pop") => sql`
  from node n left join node_config c on c.node_id = n.id
  where n.id = any(${[...ids]}::bigint[]) and n.kind = ${kind}`;

const columns = sql`n.id, n.enterprise_id, n.kind, n.x_mode, c.items, c.updated_at, c.row_version`;

/** A node that the caller may read; undefined: there is none. */
export async function readNode(
  ctx: Context,
  id: number,
  kind: "cpe" | "pop",
): Promise<ConfiguredNode | undefined> {
  const { rows } = await sql<ConfiguredNode>`select ${columns} ${nodes([id], kind)}`.execute(
    ctx.db,
  );
  return rows[0];
}

/** The caller's own nodes, locked in order; refuses when one is missing or only shared. */
export async function lockNodes(
  ctx: Context,
  ids: readonly number[],
  kind: "cpe" | "pop",
): Promise<ConfiguredNode[]> {
  const { rows } = await sql<ConfiguredNode>`
    select ${columns} ${nodes(ids, kind)}
      and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
    order by n.id for no key update of n`.execute(ctx.db);
  if (rows.length !== new Set(ids).size) refuse("notFound");
  return rows;
}

/** The items that were given, in their wire form. */
function givenWire(given: Partial<GivenItems>): Wire {
  const named = cpeItemNames.flatMap((name): [CpeItem, unknown][] => {
    const value = given[name];
    return value === null || value === undefined ? [] : [[name, value]];
  });
  const picked = Object.fromEntries(named.map(([name]) => [name, true]));
  const schema = cpeConfig.pick(picked as Record<CpeItem, true>);
  return z.encode(schema, Object.fromEntries(named) as never) as Wire;
}

/**
 * Sets the given items on locked nodes, with two statements for all of them.
 * @returns old and new values of what was given, for the audit trail
 */
export async function setItems(
  ctx: Context,
  locked: readonly ConfiguredNode[],
  given: Partial<GivenItems>,
): Promise<{ old: Wire; now: Wire }[]> {
  const { xMode, ...items } = givenWire(given);
  const ids = locked.map(({ id }) => id);
  await sql`
    insert into node_config (node_id, enterprise_id, items)
    select one.node, one.enterprise, ${JSON.stringify(items)}::jsonb
    from unnest(${ids}::bigint[], ${locked.map(({ enterprise_id }) => enterprise_id)}::bigint[])
      as one (node, enterprise)
    on conflict (node_id) do update
      set items = node_config.items || excluded.items, updated_at = now()`.execute(ctx.db);
  if (xMode !== undefined) {
    await ctx.db
      .updateTable("node")
      .set({ x_mode: xMode as XMode, updated_at: sql`now()` })
      .where(sql<SqlBool>`id = any(${ids}::bigint[])`)
      .execute();
  }
  const now = { ...items, ...(xMode !== undefined && { xMode }) };
  return locked.map((node) => {
    const before: Wire = { ...defaults, ...node.items, xMode: node.x_mode };
    const old = Object.fromEntries(Object.keys(now).map((name) => [name, before[name] ?? ""]));
    return { old, now };
  });
}

/** Resets the settings of a CPE except lines and LAN sections; gives what there was. */
export async function forgetSettings(ctx: Context, nodeId: number) {
  const of = (table: "dns_entry" | "acl_rule" | "static_route") =>
    ctx.db.deleteFrom(table).where("node_id", "=", nodeId).returning("id").execute();
  const dns = await of("dns_entry");
  const acl = await of("acl_rule");
  const routes = await of("static_route");
  await ctx.db
    .updateTable("node_config")
    .set({ items: "{}", updated_at: sql`now()` })
    .where("node_id", "=", nodeId)
    .execute();
  return { dnsEntries: dns.length, aclRules: acl.length, staticRoutes: routes.length };
}
