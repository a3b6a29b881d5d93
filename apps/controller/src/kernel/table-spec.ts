import type { AnyResource, DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import type { RawBuilder, Selectable, SqlBool } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "./api.ts";
import type { Constraints } from "./database-errors.ts";
import type { Members } from "./members.ts";
import type { Reference, TableName, Touched } from "./reference.ts";
import type { ListQuery } from "./resource-store.ts";
import type { NameOf } from "./row-names.ts";
import type { OwnerField } from "./row-owner.ts";

export type Table = TableName;
export type Loose = Record<string, unknown>;
/** A field that may list members. */
export type MemberField<R extends AnyResource> = keyof DraftOf<R> & string;
type Column<T extends Table> = keyof Database[T] & string;
type Field<R extends AnyResource> = keyof RowOf<R> & string;

/**
 * How a resource lies in a table with `id`, `enterprise_id`, `created_by` and `created_at`.
 * @typeParam M fields that list members
 */
export interface TableSpec<
  R extends AnyResource,
  T extends Table,
  M extends MemberField<R> = never,
> {
  readonly table: T;
  /**
   * Column of every field that is stored: all of the draft's, and plain ones of the row. Null: the
   * field lies in another table, and the store around this one keeps it there.
   */
  readonly columns: Readonly<
    Record<Exclude<keyof DraftOf<R> & string, M>, Column<T> | null> &
      Partial<Record<Field<R>, Column<T> | null>>
  >;
  /** Fields that list rows of another table. */
  readonly members?: Readonly<Record<M, Members>>;
  /** Fields that show the name of a row of another table: `cpeName: node("cpeId")`. */
  readonly names?: Readonly<Partial<Record<Field<R>, NameOf<Field<R>>>>>;
  /**
   * Whose row it is. `enterprise`: the draft field that names the enterprise; null there is the
   * caller's own, and in an edit the one that it has. `row`: the draft field that names the row of
   * another table that owns it and whose enterprise it gets; a list may ask for one owner by it.
   * `oneOf`: one of several fields names the owner; list, combo and removal need it too, and rows
   * of another owner are not there.
   */
  readonly owner:
    | { readonly enterprise: keyof DraftOf<R> & string }
    | { readonly row: keyof DraftOf<R> & string; readonly of: Reference }
    | { readonly oneOf: readonly OwnerField<Column<T>>[] };
  /** Query fields of the list: compared for equality, or searched anywhere in the text. */
  readonly filters?: Readonly<Partial<Record<keyof ListQuery<R> & string, "equal" | "contains">>>;
  /** A condition of the list that no plain comparison says; null: none. */
  readonly matches?: (query: ListQuery<R>) => RawBuilder<unknown> | null;
  /** Constraint of the table -> field that breaks it. */
  readonly constraints?: Constraints;
  /** Columns that every row of the resource has alike, where resources share the table. */
  readonly part?: Readonly<Partial<Record<Column<T>, string>>>;
  /**
   * What `complete` needs of other tables for each row, by a name of its own: a subquery that calls the row by its table's
   * name. It is a part of the statement that lists, which saves one more behind it.
   */
  readonly reads?: Readonly<Record<string, RawBuilder<unknown>>>;
  /**
   * Other fields of a page of rows, one object a row in the same order; read beside members and
   * names, and taken before them. The operation log does not have these fields.
   */
  readonly complete?: (
    ctx: Context,
    rows: readonly Selectable<Database[T]>[],
  ) => Promise<readonly Partial<RowOf<R>>[]>;
  /** Field that a combo shows; the resource must declare the verb. */
  readonly comboField?: Field<R>;
  /** True: rows that other enterprises share are listed as well (row-level security decides). */
  readonly shared?: boolean;
  /** Nodes and spaces that a row affects, besides its owner. */
  readonly touches?: (row: Selectable<Database[T]>) => Touched;
}

/** The same for code that works on whichever table and resource it is. */
export interface LooseSpec {
  readonly table: Table;
  readonly columns: Readonly<Record<string, string | null>>;
  readonly members?: Readonly<Record<string, Members>>;
  readonly names?: Readonly<Record<string, NameOf>>;
  readonly owner:
    | { readonly enterprise: string }
    | { readonly row: string; readonly of: Reference }
    | { readonly oneOf: readonly OwnerField[] };
  readonly filters?: Readonly<Record<string, "equal" | "contains">>;
  readonly matches?: (query: Loose) => RawBuilder<SqlBool> | null;
  readonly constraints?: Constraints;
  readonly part?: Readonly<Record<string, string>>;
  readonly reads?: Readonly<Record<string, RawBuilder<unknown>>>;
  readonly complete?: (ctx: Context, rows: readonly Loose[]) => Promise<readonly Loose[]>;
  readonly comboField?: string;
  readonly shared?: boolean;
  readonly touches?: (row: Loose) => Touched;
}
