/** Other rows in place of a template's: all of its families at the same time. */
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import { sql } from "kysely";
import { tableOf } from "#domains/policies/policy/public.ts";
import { type PolicyTableName, policyTables, type StoredPolicy } from "#domains/policies/schema.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import type { TemplateRow } from "./store.ts";

type StoredRow = StoredPolicy[string][number];

/** Tables in an order in which rows come before those that name them. */
const tables: readonly PolicyTableName[] = [
  ...new Set(policyFamilies.map(({ name }) => tableOf(name))),
];

/**
 * Takes the rows of a template away and writes those of a version in their place, with the ids that they had then:
 * what counts by them (hits, findings) goes on.
 * @returns the rows that were there
 * @throws Refusal when today's rules for rows do not allow what the version holds
 */
export async function replaceDraft(
  ctx: Context,
  template: TemplateRow,
  content: StoredPolicy,
  version: number,
): Promise<StoredPolicy> {
  const columns = await writableColumns(ctx);
  const removed = new Map<PolicyTableName, Removed[]>();
  for (const table of tables.toReversed()) removed.set(table, await clear(ctx, template, table));
  for (const table of tables) {
    const rows = content[table] ?? [];
    const makers = new Map(removed.get(table)?.map((one) => [Number(one.row.id), one]));
    await fill(ctx, template, table, {
      columns: columns.get(table) ?? new Set(),
      rows: rows.map((row) => {
        const before = makers.get(Number(row.id));
        return {
          ...row,
          created_by: before?.created_by ?? ctx.caller.userId,
          created_at: before?.created_at ?? new Date(),
        };
      }),
    }).catch((error: unknown) => explain(error, version));
  }
  return Object.fromEntries(
    Object.values(policyTables).map((table) => [
      table,
      (removed.get(table) ?? []).map(({ row }) => row).sort((a, b) => Number(a.id) - Number(b.id)),
    ]),
  );
}

/** Of every table the columns that a statement may write; a version of long ago may have others. */
async function writableColumns(ctx: Context): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select c.relname as name, array_agg(a.attname::text) as columns
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'weft'::regnamespace and c.relname = any(${[...tables]}::text[])
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname`.execute(ctx.db);
  return new Map(rows.map(({ name, columns }) => [name, new Set(columns)]));
}

interface Removed {
  readonly row: StoredRow;
  readonly created_by: number | null;
  readonly created_at: Date;
}

/** Columns that a version does not keep (policies/merged/policy-rows.ts). */
const bookkeeping = [
  "enterprise_id",
  "template_id",
  "node_id",
  "owner",
  "created_by",
  "created_at",
  "updated_at",
  "row_version",
];

async function clear(
  ctx: Context,
  template: TemplateRow,
  table: PolicyTableName,
): Promise<Removed[]> {
  const { rows } = await sql<Removed>`
    delete from ${sql.table(table)} r where r.template_id = ${template.id}
    returning to_jsonb(r) - ${bookkeeping}::text[] as row, r.created_by, r.created_at`.execute(
    ctx.db,
  );
  return rows;
}

interface Filling {
  readonly columns: ReadonlySet<string>;
  readonly rows: readonly StoredRow[];
}

async function fill(
  ctx: Context,
  template: TemplateRow,
  table: PolicyTableName,
  { columns, rows }: Filling,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  // Rows of one version have the same columns.
  const names = Object.keys(first).filter((name) => columns.has(name));
  const refs = sql.join(names.map((name) => sql.ref(name)));
  const values = sql.join(names.map((name) => sql.ref(`r.${name}`)));
  await sql`
    insert into ${sql.table(table)} (enterprise_id, template_id, ${refs}) overriding system value
    select ${template.enterprise_id}, ${template.id}, ${values}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb) r`.execute(
    ctx.db,
  );
}

/** Integrity constraints of PostgreSQL (SQLSTATE class 23): a version is of the rules of its time. */
function explain(error: unknown, version: number): never {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!code.startsWith("23")) throw error;
  return refuse("notAllowedNow", {
    reason: [
      `版本 ${version} 的部分内容不再被允许，或草稿中有数据范围之外的对象`,
      `something that version ${version} holds is not allowed any more, or the draft has objects out of your data scope`,
    ],
  });
}
