/** Rows of all families that a template or a node has, as they are stored and as policies are merged. */
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { columnOf, tableOf } from "#domains/policies/policy/public.ts";
import { policyTables, type StoredPolicy } from "#domains/policies/schema.ts";
import type { PolicyRows, PolicyValues } from "./merged-policy.ts";

/** Columns that are about the row, not about what it asks for. */
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

/** All rows of templates or of nodes now, each table's by id: equal contents are equal texts. */
export async function readStoredPolicies(
  db: Kysely<Database> | Transaction<Database>,
  owner: "template_id" | "node_id",
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredPolicy>> {
  const tables = Object.values(policyTables);
  const parts = tables.map(
    (table): RawBuilder<unknown> => sql`
      select r.${sql.ref(owner)} as owner, ${sql.lit(table)} as name,
        jsonb_agg(to_jsonb(r) - ${bookkeeping}::text[] order by r.id) as rows
      from ${sql.table(table)} r where r.${sql.ref(owner)} = any(${[...ids]}::bigint[])
      group by r.${sql.ref(owner)}`,
  );
  const { rows } = await sql<{ owner: number; name: string; rows: StoredPolicy[string] }>`
    ${sql.join(parts, sql` union all `)}`.execute(db);
  const byOwner = Map.groupBy(rows, (row) => row.owner);
  return new Map(
    ids.map((id) => {
      const byTable = new Map((byOwner.get(id) ?? []).map((row) => [row.name, row.rows]));
      return [id, Object.fromEntries(tables.map((table) => [table, byTable.get(table) ?? []]))];
    }),
  );
}

const fieldsOf = policyFamilies.map(({ name, spec }) => ({
  name,
  table: tableOf(name) as string,
  fields: [...Object.keys(spec.fields.shape), ...Object.keys(spec.facts.shape)].map(
    (field) => [field, columnOf(field)] as const,
  ),
}));

/** The same rows by family, with the names of fields; a fact that no column holds is left out. */
export const policyRowsOf = (stored: StoredPolicy): PolicyRows =>
  Object.fromEntries(
    fieldsOf.map(({ name, table, fields }) => [
      name,
      (stored[table] ?? []).map((row): PolicyValues => {
        const known = fields.filter(([, column]) => column in row);
        const values = Object.fromEntries(known.map(([field, column]) => [field, row[column]]));
        return { ...values, id: Number(row.id) };
      }),
    ]),
  );
