/** The device behind a CPE: its claim, its identity, what is kept of it for its user group. */
import type { cpeGetActive } from "@weft/contract/domains/devices/cpe-actions.ts";
import type { StandbyDraft } from "@weft/contract/domains/devices/cpe-standby.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { unshared } from "#domains/devices/lan-section/public.ts";
import type { Context } from "#kernel/api.ts";
import { asRefusal } from "#kernel/database-errors.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";

/** Hardware id of the device that serves a node: first 16 digits of its key's SHA-256. */
export const hostidOf = (node: string): RawBuilder<string | null> => sql`
  (select left(encode(sha256(convert_to(i.public_key, 'UTF8')), 'hex'), 16)
   from node_identity i where i.node_id = ${sql.ref(node)} and i.state = 'approved')`;

export interface OwnNode {
  readonly id: number;
  readonly enterprise_id: number;
  readonly sn: string;
  readonly enabled: boolean;
  readonly hostid: string | null;
}

/** A CPE of the caller's own; refuses otherwise. */
export async function ownCpe(ctx: Context, id: number): Promise<OwnNode> {
  const { rows } = await sql<OwnNode>`
    select n.id, n.enterprise_id, n.sn, n.enabled, ${hostidOf("n.id")} as hostid
    from node n
    where n.id = ${id} and n.kind = 'cpe' and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}`.execute(
    ctx.db,
  );
  return rows[0] ?? refuse("notFound");
}

/** Whether a device serves the CPE, or a claim waits for one. */
export async function activationOf(
  ctx: Context,
  { id, sn, hostid }: OwnNode,
): Promise<OutputOf<typeof cpeGetActive>> {
  const { rows } = await sql<{ expires_at: Date | null; addresses: string[] }>`
    select (select c.expires_at from claim c where c.node_id = ${id} and c.used_key is null
        and c.revoked_at is null and c.expires_at > now() order by c.id desc limit 1) as expires_at,
      i.edge_addresses as addresses
    from installation i`.execute(ctx.db);
  const waits = rows[0]?.expires_at ?? null;
  return {
    id,
    sn,
    active: hostid !== null ? 1 : waits !== null ? 0 : null,
    activeUrl: rows[0]?.addresses[0] ?? null,
    expireTime: hostid === null ? waits : null,
  };
}

/**
 * Revokes the access of the device of a CPE and ends its claims. @returns false when there was neither
 */
export async function releaseDevice(ctx: Context, { id }: OwnNode): Promise<boolean> {
  const devices = await ctx.db
    .updateTable("node_identity")
    .set({ state: "rejected", decided_at: sql`now()`, decided_by: ctx.caller.loginName })
    .where("node_id", "=", id)
    .where("state", "in", ["approved", "pending", "quarantined"])
    .returning("id")
    .execute();
  const claims = await ctx.db
    .updateTable("claim")
    .set({ revoked_at: sql`now()` })
    .where("node_id", "=", id)
    .where("used_key", "is", null)
    .where("revoked_at", "is", null)
    .returning("id")
    .execute();
  // Without a tunnel key a node has no links: its peers block the device's old key.
  await ctx.db
    .updateTable("node_status")
    .set({ tunnel_key: null })
    .where("node_id", "=", id)
    .execute();
  return devices.length + claims.length > 0;
}

/** Ids of the spaces that a node is in. */
export async function spacesOf(ctx: Context, nodeId: number): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom("space_member")
    .select("space_id")
    .where("node_id", "=", nodeId)
    .execute();
  return rows.map(({ space_id }) => space_id);
}

/** Keeps what a CPE may in its closed user group. */
export async function setCug(
  ctx: Context,
  node: OwnNode,
  values: { readonly cug_enabled?: boolean; readonly cug_bps?: number },
): Promise<void> {
  await ctx.db
    .insertInto("node_config")
    .values({ node_id: node.id, enterprise_id: node.enterprise_id, items: "{}", ...values })
    .onConflict((conflict) =>
      conflict.column("node_id").doUpdateSet({ ...values, updated_at: sql`now()` }),
    )
    .execute();
}

/**
 * Puts a CPE into a standby group, or takes it out. A group has one active and one standby device:
 * a second one is refused by the index.
 * @returns where it was before.
 */
export async function setStandby(
  ctx: Context,
  id: number,
  draft: StandbyDraft,
): Promise<StandbyDraft> {
  const isIn = draft.hotStandbyGroup !== null;
  const old = await ctx.db
    .selectFrom("node")
    .select([
      "hot_standby_group as hotStandbyGroup",
      "hot_standby_role as hotStandbyRole",
      "hot_standby_priority as hotStandbyPriority",
    ])
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  await ctx.db
    .updateTable("node")
    .set({
      hot_standby_group: draft.hotStandbyGroup,
      hot_standby_role: isIn ? draft.hotStandbyRole : null,
      hot_standby_priority: isIn ? draft.hotStandbyPriority : null,
      updated_at: sql`now()`,
    })
    .where("id", "=", id)
    .execute()
    .catch((error: unknown) => {
      const fields = {
        node_standby: { field: "hotStandbyRole" },
        networks_apart: { field: group },
      };
      throw asRefusal(error, fields, draft) ?? error;
    });
  if (isIn) {
    await requireRoom(ctx, id, draft);
    await requireOrder(ctx, id, draft);
  }
  const clash = await unshared(ctx, id);
  if (clash) refuseField(group, "overlap", clash);
  return old;
}

const group = "hotStandbyGroup";

/** Nodes of the standby group of a node, itself included. */
export async function pairOf(ctx: Context, id: number): Promise<number[]> {
  const { rows } = await sql<{ ids: number[] }>`
    select weft.standby_pair(${id}) as ids`.execute(ctx.db);
  return rows[0]?.ids ?? [id];
}

/** A group that two CPEs have by lines of their policies has no place for a third one. */
async function requireRoom(ctx: Context, id: number, draft: StandbyDraft): Promise<void> {
  const { rows } = await sql`
    select id from weft.standby_others(${id}, ${draft.hotStandbyGroup}::smallint)`.execute(ctx.db);
  if (rows.length > 1) refuseField(group, "tooMany", { max: 2 });
}

/** The priorities decide which device is active and must agree with the roles. */
async function requireOrder(ctx: Context, id: number, draft: StandbyDraft): Promise<void> {
  const other = await ctx.db
    .selectFrom("node")
    .select("hot_standby_priority as priority")
    .where(sql<SqlBool>`id = any(weft.standby_pair(${id})) and id <> ${id}`)
    .executeTakeFirst();
  const { hotStandbyRole: role, hotStandbyPriority: ownPriority } = draft;
  if (!other || other.priority === null || ownPriority === null) return;
  const [active, standby] =
    role === "active" ? [ownPriority, other.priority] : [other.priority, ownPriority];
  if (active < standby)
    refuseField("hotStandbyPriority", "standbyOrder", { value: other.priority });
}

export async function setEnabled(ctx: Context, id: number, enabled: boolean): Promise<void> {
  await ctx.db
    .updateTable("node")
    .set({ enabled, updated_at: sql`now()` })
    .where("id", "=", id)
    .execute();
}
