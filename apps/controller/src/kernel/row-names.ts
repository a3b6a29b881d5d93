/** Names of the rows that rows refer to, for people who read a list. */
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { checkMemory } from "@weft/contract/kernel/rule.ts";
import { type SqlBool, sql } from "kysely";
import type { AnyTable } from "#db/any-table.ts";
import type { Context } from "./api.ts";
import type { TableName } from "./reference.ts";

type Loose = Readonly<Record<string, unknown>>;

/** The name of the row whose id is in a field. */
export interface NameOf<Field extends string = string> {
  readonly field: Field;
  readonly table: TableName;
  /** True: the field is empty in rows whose reader may not read the row that it names. */
  readonly hidesUnreadable: boolean;
}

/** Declares a table whose rows are shown by their name: `node("cpeId")`. */
export const namesIn =
  (table: TableName) =>
  <const Field extends string>(
    field: Field,
    { hidesUnreadable = false }: { readonly hidesUnreadable?: boolean } = {},
  ): NameOf<Field> => ({ field, table, hidesUnreadable });

/** Names of these rows by id, as far as the caller may read them. */
async function readNames(
  ctx: Context,
  table: TableName,
  ids: readonly unknown[],
): Promise<ReadonlyMap<unknown, string>> {
  const db: AnyTable = ctx.db;
  const rows = await db
    .selectFrom(table)
    .select(["id", "name"])
    .where(sql<SqlBool>`id = any(${[...new Set(ids)]}::bigint[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name as string]));
}

/**
 * Fields with names for a page of rows, with one statement a table. A name that the caller may not
 * read is null where the resource allows it, else empty.
 * @param names by the field that gets the name
 * @param columns by field
 */
export async function nameFields(
  ctx: Context,
  resource: AnyResource,
  names: Readonly<Record<string, NameOf>>,
  columns: Readonly<Record<string, string | null>>,
  rows: readonly Loose[],
): Promise<Loose[]> {
  const idOf = (row: Loose, { field }: NameOf): unknown => row[columns[field] ?? field];
  const byTable = Map.groupBy(Object.values(names), ({ table }) => table);
  const found = new Map(
    await Promise.all(
      [...byTable].map(async ([table, specs]) => {
        const ids = rows.flatMap((row) => specs.map((spec) => idOf(row, spec)));
        return [table, await readNames(ctx, table, ids)] as const;
      }),
    ),
  );
  const entries = Object.entries(names).map(([field, spec]) => {
    const schema = resource.row.shape[field];
    const missing = schema && checkMemory(schema, null).ok ? null : "";
    return { field, spec, missing, known: found.get(spec.table) };
  });
  return rows.map((row) =>
    Object.fromEntries(
      entries.flatMap(({ field, spec, missing, known }) => {
        const name = known?.get(idOf(row, spec));
        const isHidden = spec.hidesUnreadable && name === undefined;
        return [[field, name ?? missing], ...(isHidden ? [[spec.field, null]] : [])];
      }),
    ),
  );
}
