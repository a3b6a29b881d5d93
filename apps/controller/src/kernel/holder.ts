import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Context } from "./api.ts";
import { refuseField } from "./refuse.ts";
import { inCallerScope } from "./scope.ts";

/** One of the fields that may name whose rows are meant. */
export interface Holder {
  readonly field: string;
  readonly column: "template_id" | "node_id";
  /** Of a node: what it must be. */
  readonly kind?: "cpe" | "pop";
}

/** The holder that an input names. */
export interface NamedHolder extends Holder {
  readonly id: number;
}

/** The one holder that the input names; none, or two, are refused. */
export function holderIn(
  holders: readonly Holder[],
  input: Readonly<Record<string, unknown>>,
): NamedHolder {
  const named = holders.flatMap((holder): NamedHolder[] => {
    const id = input[holder.field];
    return typeof id === "number" ? [{ ...holder, id }] : [];
  });
  const [first, second] = named;
  if (second) refuseField(second.field, "notAllowed");
  return first ?? refuseField(holders[0]?.field ?? "", "required");
}

/** Rows of that holder; of a node of another kind there are none. */
export function isHeldBy({ column, id, kind }: NamedHolder): RawBuilder<SqlBool> {
  const held = sql<SqlBool>`${sql.ref(column)} = ${id}`;
  return kind === undefined
    ? held
    : sql<SqlBool>`(${held} and exists (
        select 1 from node holder where holder.id = ${id} and holder.kind = ${kind}))`;
}

/** The enterprise of a holder that the caller may write to; a foreign and an absent one are alike. */
export async function requireHolder(ctx: Context, holder: NamedHolder): Promise<number> {
  if (holder.column === "node_id") return requireNode(ctx, holder.id, holder.field, holder.kind);
  const template = await ctx.db
    .selectFrom("router_template")
    .select("enterprise_id")
    .where("id", "=", holder.id)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .executeTakeFirst();
  if (!template) refuseField(holder.field, "unknown");
  return template.enterprise_id;
}

/**
 * The enterprise of a node that the caller may write to. A foreign node, a shared one and one that
 * is not there are refused alike.
 */
export async function requireNode(
  ctx: Context,
  id: number,
  field: string,
  kind?: string,
): Promise<number> {
  let query = ctx.db
    .selectFrom("node")
    .select("enterprise_id")
    .where("id", "=", id)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"));
  if (kind !== undefined) query = query.where("kind", "=", kind as "cpe" | "pop");
  const node = await query.executeTakeFirst();
  if (!node) refuseField(field, "unknown");
  return node.enterprise_id;
}
