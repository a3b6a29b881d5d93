import { type Selectable, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { asRefusal, type Constraints } from "#kernel/database-errors.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import type { StoredRow, WrittenRow } from "#kernel/resource-store.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { refuseMove } from "./move.ts";

const degrees = (value: unknown): number | null => (value === null ? null : Number(value));

/** A node as the operation log shows it: by the contract's names, which differ between the kinds. */
function recordedNode(row: Selectable<Database["node"]>): object {
  const shared = {
    groupid: row.enterprise_id,
    sn: row.sn,
    longitude: degrees(row.longitude),
    latitude: degrees(row.latitude),
    expireTime: row.expire_at,
    remark: row.remark,
  };
  if (row.kind === "pop") {
    return { name: row.name, ...shared, regions: row.regions, bandwidth: row.bandwidth_kbps };
  }
  const { enabled: enable, x_mode: xMode, area_id: areaId, parent_node_id: parentCpeId } = row;
  const { time_zone: timezone } = row;
  return { alias: row.name, ...shared, enable, xMode, areaId, timezone, parentCpeId };
}

type Kind = "cpe" | "pop";
type NodeColumns = Selectable<Database["node"]>;

/** What a draft of either kind says of the node's own columns. */
export interface NodeValues {
  readonly enterprise_id: number;
  readonly name: string;
  readonly sn: string;
  readonly enabled?: boolean;
  readonly x_mode?: number;
  readonly regions?: string;
  readonly longitude: number | null;
  readonly latitude: number | null;
  readonly bandwidth_kbps?: number | null;
  readonly area_id?: number | null;
  readonly time_zone?: string | null;
  readonly parent_node_id?: number;
  readonly expire_at: Date | null;
  readonly remark: string;
}

/** The name of a node is `alias` on a CPE's wire and `name` on a POP's. */
const explain =
  (kind: Kind, values: NodeValues) =>
  (error: unknown): never => {
    const nameField = kind === "cpe" ? "alias" : "name";
    const constraints: Constraints = {
      node_name: { field: nameField },
      node_sn: { field: "sn" },
      // The key is checked with the enterprise: an area of another tenant does not exist.
      node_area: { field: "areaId", rule: "unknown" },
    };
    throw asRefusal(error, constraints, { ...values, [nameField]: values.name }) ?? error;
  };

/** What a node is not removed under. */
const ofCircuit = { by: ["专线", "circuits"] } as const;
const heldBy: Constraints = {
  circuit_source_node: ofCircuit,
  circuit_target_node: ofCircuit,
  vbr_node_pop: { by: ["跨云节点", "cross-cloud nodes"] },
};

const written = (id: number, old: NodeColumns | null, now: NodeColumns | null): StoredRow => ({
  id,
  enterpriseId: (now ?? old)?.enterprise_id ?? 0,
  old: old && recordedNode(old),
  new: now && recordedNode(now),
  versions: { old: old?.row_version ?? null, new: now?.row_version ?? null },
  // A removed node takes no state; its peers' links are removed by the spaces it was in.
  ...(now && { touches: { nodeIds: [id] } }),
});

export async function addNode(ctx: Context, kind: Kind, values: NodeValues): Promise<StoredRow> {
  const row = await ctx.db
    .insertInto("node")
    .values({ ...values, kind, created_by: ctx.caller.userId })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(explain(kind, values));
  return written(row.id, null, row);
}

/**
 * The caller's own nodes with these ids, locked; refuses when one is missing or only shared.
 * @param lock "update" only before a removal or a move: it waits for everything that refers to the node, and keeps it out.
 */
async function lockNodes(
  ctx: Context,
  ids: readonly number[],
  kind: Kind | undefined,
  lock: "update" | "no key update",
): Promise<NodeColumns[]> {
  const rows = await ctx.db
    .selectFrom("node")
    .selectAll()
    .where("id", "in", [...ids])
    .$if(kind !== undefined, (query) => query.where("kind", "=", kind as Kind))
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .orderBy("id")
    .$if(lock === "update", (query) => query.forUpdate())
    .$if(lock === "no key update", (query) => query.forNoKeyUpdate())
    .execute();
  if (rows.length !== new Set(ids).size) refuse("notFound");
  return rows;
}

export async function editNode(
  ctx: Context,
  kind: Kind,
  id: number,
  values: NodeValues,
): Promise<StoredRow> {
  const [old] = await lockNodes(ctx, [id], kind, "no key update");
  if (!old) refuse("notFound");
  if (old.enterprise_id !== values.enterprise_id) {
    // What is being added to the node holds it in its enterprise as well; whoever comes later finds it there no more.
    await lockNodes(ctx, [id], kind, "update");
    await refuseMove(ctx, old, values.enterprise_id);
  }
  const row = await ctx.db
    .updateTable("node")
    .set({ ...values, updated_at: sql`now()` })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(explain(kind, values));
  return written(id, old, row);
}

/** Refuses the field when the area is not the caller's. */
export async function requireArea(ctx: Context, id: number, field: string): Promise<void> {
  const area = await ctx.db
    .selectFrom("cpe_area")
    .select("id")
    .where("id", "=", id)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .executeTakeFirst();
  if (!area) refuseField(field, "unknown");
}

/** Moves a CPE to an area of its enterprise, or to none. Its device's state does not depend on it. */
export async function moveToArea(
  ctx: Context,
  id: number,
  areaId: number | null,
): Promise<WrittenRow> {
  const [old] = await lockNodes(ctx, [id], "cpe", "no key update");
  if (!old) refuse("notFound");
  await ctx.db
    .updateTable("node")
    .set({ area_id: areaId, updated_at: sql`now()` })
    .where("id", "=", id)
    .execute()
    .catch((error: unknown) => {
      const foreign = { node_area: { field: "toAreaId", rule: "unknown" } } as const;
      throw asRefusal(error, foreign, { toAreaId: areaId }) ?? error;
    });
  const { enterprise_id: enterpriseId, area_id } = old;
  return { id, enterpriseId, old: { areaId: area_id }, new: { areaId } };
}

export async function removeNodes(
  ctx: Context,
  kind: Kind,
  ids: readonly number[],
): Promise<StoredRow[]> {
  const rows = await lockNodes(ctx, ids, kind, "update");
  const member = await ctx.db
    .selectFrom("space_member")
    .innerJoin("net_space", "net_space.id", "space_member.space_id")
    .select("net_space.name")
    .where("space_member.node_id", "in", [...ids])
    .executeTakeFirst();
  if (member) refuse("inUse", { by: member.name });
  await ctx.db
    .deleteFrom("node")
    .where("id", "in", [...ids])
    .execute()
    .catch((error: unknown) => {
      throw asRefusal(error, heldBy, {}) ?? error;
    });
  await auditRemovedWith(ctx, kind);
  return rows.map((row) => written(row.id, row, null));
}

/** What triggers did to rows that named no other node: whose they are reads in the log who did it. */
async function auditRemovedWith({ caller, db }: Context, kind: Kind): Promise<void> {
  const { userId, loginName, address, requestId } = caller;
  await sql`select weft.audit_removed_with(
    ${userId}, ${loginName}, ${`${kind}.remove`}, ${address}, ${requestId})`.execute(db);
}

export async function comboNodes(
  ctx: Context,
  kind: Kind,
): Promise<{ id: number; name: string }[]> {
  return ctx.db
    .selectFrom("node")
    .select(["id", "name"])
    .where("kind", "=", kind)
    .$if(kind === "cpe", (query) => query.where(inCallerScope(ctx, "enterprise_id", "created_by")))
    .orderBy("name")
    .limit(1_000)
    .execute();
}
