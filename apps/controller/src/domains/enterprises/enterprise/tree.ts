import type { enterpriseTreeList } from "@weft/contract/domains/enterprises/enterprise.ts";
import type {
  CascaderNode,
  TypedCascaderNode,
} from "@weft/contract/domains/enterprises/enterprise-cascader.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

/** Every enterprise in scope, by name. */
export function listCombo(ctx: Context): Promise<{ groupid: number; name: string }[]> {
  return ctx.db
    .selectFrom("enterprise as e")
    .select(["e.id as groupid", "e.name"])
    .where(inCallerScope(ctx, "e.id"))
    .orderBy("e.name")
    .orderBy("e.id")
    .execute();
}

/** Flat nodes of the tree; a node whose parent is not among them is at the top. */
export async function listTree(
  ctx: Context,
  { isAgent, enterpriseType }: InputOf<typeof enterpriseTreeList>,
): Promise<OutputOf<typeof enterpriseTreeList>> {
  let query = ctx.db
    .selectFrom("enterprise as e")
    .select(["e.id", "e.parent_id", "e.name", "e.is_agent", "e.enabled"])
    .where(inCallerScope(ctx, "e.id"));
  if (isAgent !== null) query = query.where("e.is_agent", "=", isAgent);
  if (enterpriseType !== null) query = query.where("e.enterprise_type", "=", enterpriseType);
  const rows = await query.orderBy("e.id").execute();
  const shown = new Set(rows.map((row) => row.id));
  return rows.map((row) => ({
    groupid: row.id,
    parentId: row.parent_id !== null && shown.has(row.parent_id) ? row.parent_id : null,
    name: row.name,
    isAgent: row.is_agent,
    enable: row.enabled,
  }));
}

interface TreeRow {
  readonly id: number;
  readonly parent_id: number | null;
  readonly name: string;
  readonly is_agent: boolean;
  readonly enterprise_type: number;
}

/** Nested nodes; one whose parent is not among the rows is at the top. Pure. */
function nested(rows: readonly TreeRow[]): TypedCascaderNode[] {
  const byId = new Map(
    rows.map((row): [number, TypedCascaderNode] => [
      row.id,
      {
        value: row.id,
        label: row.name,
        isAgent: row.is_agent ? 1 : 0,
        enterpriseType: row.enterprise_type,
        children: [],
      },
    ]),
  );
  const tops: TypedCascaderNode[] = [];
  for (const row of rows) {
    const node = byId.get(row.id);
    const siblings = row.parent_id === null ? undefined : byId.get(row.parent_id)?.children;
    if (node) (siblings ?? tops).push(node);
  }
  return tops;
}

/** The same tree, of what a plain cascader needs. Pure. */
export const untyped = (nodes: readonly TypedCascaderNode[]): CascaderNode[] =>
  nodes.map(({ value, label, children }) => ({ value, label, children: untyped(children) }));

/** The tree inside the data scope. */
export async function cascader(ctx: Context): Promise<TypedCascaderNode[]> {
  const rows = await ctx.db
    .selectFrom("enterprise as e")
    .select(["e.id", "e.parent_id", "e.name", "e.is_agent", "e.enterprise_type"])
    .where(inCallerScope(ctx, "e.id"))
    .orderBy("e.name")
    .orderBy("e.id")
    .execute();
  return nested(rows);
}

/**
 * The whole tree below the caller's own enterprise, whatever the role's data scope says: for
 * controllers (role type 0). Others get what is in their scope.
 */
export async function cascaderAll(ctx: Context): Promise<TypedCascaderNode[]> {
  const { roleType, scope, enterpriseId } = ctx.caller;
  // Own data only is about rows that the person made; enterprises have no maker's cut.
  if (roleType !== 0) return scope.kind === "all" ? cascader(ctx) : scoped(ctx, scope.ids);
  const rows = await ctx.db
    .withRecursive("below", (db) =>
      db
        .selectFrom("enterprise as e")
        .select(["e.id", "e.parent_id", "e.name", "e.is_agent", "e.enterprise_type"])
        .where("e.id", "=", enterpriseId)
        .union(
          db
            .selectFrom("enterprise as e")
            .innerJoin("below as b", "b.id", "e.parent_id")
            .select(["e.id", "e.parent_id", "e.name", "e.is_agent", "e.enterprise_type"]),
        ),
    )
    .selectFrom("below")
    .selectAll()
    .orderBy("name")
    .orderBy("id")
    .execute();
  return nested(rows);
}

async function scoped(ctx: Context, ids: readonly number[]): Promise<TypedCascaderNode[]> {
  const rows = await ctx.db
    .selectFrom("enterprise as e")
    .select(["e.id", "e.parent_id", "e.name", "e.is_agent", "e.enterprise_type"])
    .where("e.id", "in", [0, ...ids])
    .orderBy("e.name")
    .orderBy("e.id")
    .execute();
  return nested(rows);
}
