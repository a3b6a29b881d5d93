/**
 * Rows that rows of other tables refer to by id: owners, members, and what is shown by name. The
 * domain that has the table declares it (domains/devices/public.ts); the kernel knows none.
 */
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { AnyTable } from "#db/any-table.ts";
import { KnownStatements } from "#db/known-statements.ts";
import type { Database } from "#db/schema.ts";
import type { Change, Context } from "./api.ts";
import { refuseField } from "./refuse.ts";
import { isInScope, type ScopeTerms, scopeShape, scopeTerms, scopeValues } from "./scope.ts";

const statements = new KnownStatements();

export type TableName = keyof Database & string;

/** Nodes and spaces whose desired state follows from a row. */
export type Touched = Omit<Change, "enterpriseId">;

export interface Reference {
  /** Has the columns `id`, `enterprise_id` and `created_by`. */
  readonly table: TableName;
  /** Values that columns of a row must have for the row to be meant. */
  readonly only: Readonly<Record<string, string>>;
  /** What a write of a row owned by this one touches; absent: nothing. */
  readonly touches?: (id: number) => Touched;
}

/** Declares a table, or a part of it, for rows that refer to it; unknown columns do not compile. */
export const reference = <T extends TableName>(
  table: T,
  only?: Readonly<Partial<Record<keyof Database[T] & string, string>>>,
  touches?: (id: number) => Touched,
): Reference => ({
  table,
  only: (only ?? {}) as Reference["only"],
  ...(touches && { touches }),
});

/** Which rows may be named: the caller's own, or also those that others share with the caller. */
export type Reach = "scope" | "readable";

/** True of rows that the reference means. @param table alias of its table */
export const isMeant = ({ only }: Reference, table: string): RawBuilder<SqlBool>[] =>
  Object.entries(only).map(
    ([column, value]) => sql<SqlBool>`${sql.ref(`${table}.${column}`)} = ${value}`,
  );

/** True of rows that the reference means, and that are the caller's own. */
export const isOwn = (of: Reference, scope: ScopeTerms): RawBuilder<SqlBool> =>
  sql.join<SqlBool>(
    [
      ...isMeant(of, of.table),
      isInScope(scope, `${of.table}.enterprise_id`, `${of.table}.created_by`),
    ],
    sql` and `,
  );

export interface Referred {
  readonly id: number;
  readonly enterprise_id: number;
}

/** Rows with these ids; refuses the field when one is absent or out of reach: both look alike. */
export async function requireRows(
  ctx: Context,
  of: Reference,
  ids: readonly number[],
  field: string,
  reach: Reach = "scope",
): Promise<readonly Referred[]> {
  const unique = [...new Set(ids)];
  if (unique.length === 0) return [];
  const { caller } = ctx;
  const db: AnyTable = ctx.db;
  const only = Object.entries(of.only).flat().join();
  const rows = await statements.run<Referred>(
    db,
    `${of.table} ${only} ${reach} ${scopeShape(caller)}`,
    (value) =>
      db
        .selectFrom(of.table)
        .select(["id", "enterprise_id"])
        .where(sql<SqlBool>`id = any(${value("ids")}::bigint[])`)
        .where(
          reach === "scope"
            ? isOwn(of, scopeTerms(caller.scope, value))
            : sql.join<SqlBool>([sql`true`, ...isMeant(of, of.table)], sql` and `),
        ),
    { ...scopeValues(caller), ids: unique },
  );
  if (rows.length !== unique.length) refuseField(field, "unknown");
  return rows;
}

/** The enterprise of a row that the caller may write to; refuses the field otherwise. */
export async function requireRow(
  ctx: Context,
  of: Reference,
  id: number,
  field: string,
  reach: Reach = "scope",
): Promise<number> {
  const [row] = await requireRows(ctx, of, [id], field, reach);
  return row?.enterprise_id ?? refuseField(field, "unknown");
}
