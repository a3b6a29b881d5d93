import type { AnyResource, DraftOf } from "@weft/contract/kernel/resource.ts";
import { type SqlBool, sql } from "kysely";
import type { AnyTable } from "#db/any-table.ts";
import type { Context } from "./api.ts";
import { asRefusal } from "./database-errors.ts";
import { refuseField } from "./refuse.ts";
import type { Store, WrittenRow } from "./resource-store.ts";
import { inCallerScope } from "./scope.ts";

/** Nodes that a row lists in an order of its own, in a table beside its own. */
export interface NodeListSpec<R extends AnyResource> {
  /** Field of the draft that holds the ids. */
  readonly field: keyof DraftOf<R> & string;
  readonly table:
    | "pop_strategy_node"
    | "pop_group_node"
    | "branch_node"
    | "segment_route_node"
    | "alarm_strategy_pop";
  /** `cpe`: of the row's own enterprise. `pop`: any that the caller may read, shared ones too. */
  readonly kind: "cpe" | "pop";
  /** Unique constraint that says: one list a node. */
  readonly once?: string;
}

interface Listed {
  readonly owner_id: number;
  readonly node_id: number;
}

/** Node ids of some rows, in the rows' order. */
export async function nodeLists(
  ctx: Context,
  table: NodeListSpec<AnyResource>["table"],
  owners: readonly number[],
): Promise<ReadonlyMap<number, number[]>> {
  const db: AnyTable = ctx.db;
  const rows = (await db
    .selectFrom(table)
    .select(["owner_id", "node_id"])
    .where(sql<SqlBool>`owner_id = any(${[...owners]}::bigint[])`)
    .orderBy("place")
    .execute()) as Listed[];
  const lists = new Map(owners.map((owner): [number, number[]] => [owner, []]));
  for (const { owner_id, node_id } of rows) lists.get(owner_id)?.push(node_id);
  return lists;
}

/** A store whose rows list nodes: what it writes beside the row, in the same transaction. */
export function withNodeList<R extends AnyResource>(
  store: Store<R>,
  spec: NodeListSpec<R>,
): Store<R> {
  const wanted = (draft: DraftOf<R>): number[] => [
    ...new Set((draft as Record<string, unknown>)[spec.field] as number[]),
  ];
  const told = (row: WrittenRow, before: number[] | null, now: number[] | null): WrittenRow => ({
    ...row,
    old: row.old && { ...row.old, [spec.field]: before ?? [] },
    new: row.new && { ...row.new, [spec.field]: now ?? [] },
  });
  return {
    ...store,
    async add(ctx, draft) {
      const row = await store.add(ctx, draft);
      await writeList(ctx, spec, row, wanted(draft));
      return told(row, null, wanted(draft));
    },
    async edit(ctx, id, draft) {
      const row = await store.edit(ctx, id, draft);
      const before = (await nodeLists(ctx, spec.table, [id])).get(id) ?? [];
      await writeList(ctx, spec, row, wanted(draft));
      return told(row, before, wanted(draft));
    },
    async remove(ctx, ids, inside) {
      const before = await nodeLists(ctx, spec.table, ids);
      const rows = await store.remove(ctx, ids, inside);
      return rows.map((row) => told(row, before.get(row.id) ?? [], null));
    },
  };
}

async function writeList<R extends AnyResource>(
  ctx: Context,
  spec: NodeListSpec<R>,
  { id, enterpriseId }: WrittenRow,
  ids: readonly number[],
): Promise<void> {
  const db: AnyTable = ctx.db;
  await db.deleteFrom(spec.table).where("owner_id", "=", id).execute();
  if (ids.length === 0) return;
  const nodes = await nodesOf(ctx, spec, enterpriseId, ids);
  await db
    .insertInto(spec.table)
    .values(
      ids.map((node_id, place) => ({
        enterprise_id: enterpriseId,
        owner_id: id,
        node_enterprise_id: nodes.get(node_id) ?? refuseField(spec.field, "unknown"),
        node_id,
        place,
      })),
    )
    .execute()
    .catch((error: unknown) => {
      const constraints = spec.once
        ? { [spec.once]: { field: spec.field, rule: "notAllowed" as const } }
        : {};
      throw asRefusal(error, constraints, {}) ?? error;
    });
}

/** Enterprises of the nodes by id; a foreign node is as little in it as one that is not there. */
async function nodesOf<R extends AnyResource>(
  ctx: Context,
  { kind }: NodeListSpec<R>,
  enterpriseId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  let query = ctx.db
    .selectFrom("node")
    .select(["id", "enterprise_id"])
    .where("kind", "=", kind)
    .where(sql<SqlBool>`id = any(${[...ids]}::bigint[])`);
  if (kind === "cpe") {
    query = query
      .where("enterprise_id", "=", enterpriseId)
      .where(inCallerScope(ctx, "enterprise_id", "created_by"));
  }
  const rows = await query.execute();
  return new Map(rows.map((row) => [row.id, row.enterprise_id]));
}
