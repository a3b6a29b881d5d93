/** Rows that belong to one of several kinds of row: the kind follows from the field that is given. */
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Context } from "./api.ts";
import { isMeant, type Reference, requireRow } from "./reference.ts";
import { refuseField } from "./refuse.ts";

/** One of the fields that may name whose rows are meant. */
export interface OwnerField<Column extends string = string> {
  readonly field: string;
  /** Column of the owned table. */
  readonly column: Column;
  readonly of: Reference;
}

/** The owner that an input names. */
export interface NamedOwner extends OwnerField {
  readonly id: number;
}

/** The one owner that the input names; none, or two, are refused. */
export function ownerIn(
  owners: readonly OwnerField[],
  input: Readonly<Record<string, unknown>>,
): NamedOwner {
  const named = owners.flatMap((owner): NamedOwner[] => {
    const id = input[owner.field];
    return typeof id === "number" ? [{ ...owner, id }] : [];
  });
  const [first, second] = named;
  if (second) refuseField(second.field, "notAllowed");
  return first ?? refuseField(owners[0]?.field ?? "", "required");
}

/** Rows of that owner, or of the one in the place of a value; of a row that its field does not mean there are none. */
export function isOwnedBy({
  column,
  id,
  of,
}: OwnerField & { readonly id: number | RawBuilder<number> }): RawBuilder<SqlBool> {
  const owned = sql<SqlBool>`${sql.ref(column)} = ${id}`;
  const meant = isMeant(of, "owner");
  if (meant.length === 0) return owned;
  return sql<SqlBool>`(${owned} and exists (
    select 1 from ${sql.table(of.table)} owner
    where owner.id = ${id} and ${sql.join(meant, sql` and `)}))`;
}

/** The enterprise of an owner that the caller may write to; a foreign and an absent one are alike. */
export const requireOwner = (ctx: Context, { of, id, field }: NamedOwner): Promise<number> =>
  requireRow(ctx, of, id, field);
