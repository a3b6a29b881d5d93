/** Column types and groups of columns that tables of all domains share. */
import type { ColumnType, Generated, GeneratedAlways } from "kysely";

/** Set by the database where an insert leaves it out. */
export type Stamp = ColumnType<Date, Date | undefined, Date>;
export type Json<T> = ColumnType<T, string, string>;
export type DefaultedJson<T> = ColumnType<T, string | undefined, string>;

/** A row of a tenant. */
export interface Row {
  id: GeneratedAlways<number>;
  enterprise_id: number;
}

export interface Created {
  created_by: number | null;
  created_at: Stamp;
}

export interface Changing extends Created {
  updated_at: Stamp;
}

/** The version of the row, which a trigger increases (kernel/row-version.ts). */
export interface Versioned {
  row_version: Generated<number>;
}

/** What users add, edit and remove. */
export interface Owned extends Row, Changing {
  remark: string;
}

/** Nodes that a row is about; a node may belong to another enterprise than the row. */
export interface Members {
  owner_id: number;
  enterprise_id: number;
  node_enterprise_id: number;
  node_id: number;
}

export interface OrderedMembers extends Members {
  place: number;
}
