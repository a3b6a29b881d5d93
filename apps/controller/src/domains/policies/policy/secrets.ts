/**
 * Secrets of policy objects (PPPoE, BGP) at rest: sealed under the installation's key, with the name
 * of that key beside the value, so that it is known which values have still to be sealed under a new key.
 * A sealed value opens for its own column and its own owner only; a version of a template holds the
 * same sealed values as the template.
 */
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import { sql, type Transaction } from "kysely";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { PolicyTableName } from "#domains/policies/schema.ts";
import type { TemplateContent } from "#domains/templates/schema.ts";
import type { Vault } from "#kernel/vault.ts";
import { columnOf, tableOf } from "./columns.ts";

/** Where secrets lie. */
export const secretColumns: readonly {
  readonly table: PolicyTableName;
  readonly column: string;
}[] = policyFamilies.flatMap(({ name, spec }) =>
  (spec.secret ?? []).map((field) => ({ table: tableOf(name), column: columnOf(field) })),
);

/** Whose a row is: exactly one of the two. */
export interface SecretOwner {
  readonly template_id: number | null;
  readonly node_id: number | null;
}

const prefix = "sealed";

const contextOf = (table: string, column: string, { template_id, node_id }: SecretOwner): string =>
  `${table}.${column} of ${template_id === null ? `node ${node_id}` : `template ${template_id}`}`;

/** Seals and opens the values of one column for one owner. */
export function secretOf(vault: Vault, table: string, column: string, owner: SecretOwner) {
  const text = contextOf(table, column, owner);
  return {
    /** As it is stored; an empty one stays empty: none is set. */
    seal: (secret: string): string =>
      secret === ""
        ? ""
        : `${prefix}:${vault.keyId}:${vault.seal(secret, text).toString("base64url")}`,
    /** null: under another key, of another owner, or not sealed. */
    open(stored: string): string | null {
      const [first, keyId, value] = stored.split(":");
      if (first !== prefix || keyId !== vault.keyId || value === undefined) return null;
      return vault.open(Buffer.from(value, "base64url"), text);
    },
  };
}

type Trx = Transaction<Database>;
type Again = (table: string, column: string, owner: SecretOwner, stored: string) => string;

/**
 * Puts all secrets under the key: clear ones of earlier releases, and those under a key that was the
 * installation's before. Runs at every start before anybody is served; what is done stays done.
 * @param previous opens what is under the key before this one
 * @throws Error when a value is under a key that is neither
 */
export async function sealPolicySecrets(
  pools: Pools<Database>,
  vault: Vault,
  previous?: Vault,
): Promise<void> {
  const again: Again = (table, column, owner, stored) => {
    const ours = secretOf(vault, table, column, owner);
    if (!stored.startsWith(`${prefix}:`)) return ours.seal(stored);
    if (stored.startsWith(`${prefix}:${vault.keyId}:`)) return stored;
    const secret = previous && secretOf(previous, table, column, owner).open(stored);
    if (secret === undefined || secret === null) {
      throw new Error(`${table}.${column} holds a secret under a key that is not known`);
    }
    return ours.seal(secret);
  };
  if (!previous && (await isAllSealed(pools))) return;
  const sealed = await pools.owner.db.transaction().execute(async (trx) => {
    let written = await sealVersions(trx, again);
    for (const { table, column } of secretColumns) {
      written += await sealColumn(trx, table, column, again);
    }
    return written;
  });
  const isFirst = !(await isAllSealed(pools));
  if (sealed === 0 && !isFirst) return;
  // Clear values are still in the files, in dead rows and in the statistics.
  for (const table of sealedTables) {
    await sql`vacuum (full, analyze) ${sql.table(table)}`.execute(pools.owner.db);
  }
  // Last: a constraint that holds says that the files are clean as well, whenever a start was cut short.
  for (const table of sealedTables) {
    await sql`alter table ${sql.table(table)}
      validate constraint ${sql.ref(`${table}_sealed`)}`.execute(pools.owner.db);
  }
}

const versions = "router_template_version";
const sealedTables = [...new Set(secretColumns.map(({ table }) => table)), versions];

async function isAllSealed(pools: Pools<Database>): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint
    where conname = any(${sealedTables.map((table) => `${table}_sealed`)}::text[])
      and connamespace = 'weft'::regnamespace and not convalidated`.execute(pools.owner.db);
  return rows.length === 0;
}

interface SecretRow extends SecretOwner {
  readonly id: number;
  readonly stored: string;
}

/** @returns how many rows it wrote */
async function sealColumn(trx: Trx, table: string, column: string, again: Again): Promise<number> {
  const { rows } = await sql<SecretRow>`
    select id, template_id, node_id, ${sql.ref(column)} as stored from ${sql.table(table)}
    where ${sql.ref(column)} <> '' order by id for update`.execute(trx);
  let written = 0;
  for (const row of rows) {
    const sealed = again(table, column, row, row.stored);
    if (sealed === row.stored) continue;
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
      where id = ${row.id}`.execute(trx);
    written += 1;
  }
  return written;
}

interface VersionRow {
  readonly template_id: number;
  readonly version: number;
  readonly content: TemplateContent;
}

/** @returns how many versions it wrote */
async function sealVersions(trx: Trx, again: Again): Promise<number> {
  let written = 0;
  const tables = secretColumns.map(({ table }) => table);
  // One at a time: a version may hold thousands of rows.
  const { rows: keys } = await sql<Omit<VersionRow, "content">>`
    select template_id, version from router_template_version
    where content ?| ${tables}::text[] order by template_id, version for update`.execute(trx);
  for (const { template_id, version } of keys) {
    const { rows } = await sql<Pick<VersionRow, "content">>`
      select content from router_template_version
      where template_id = ${template_id} and version = ${version}`.execute(trx);
    const [old] = rows;
    const sealed = old && withSealed(old.content, { template_id, node_id: null }, again);
    if (!sealed || JSON.stringify(sealed) === JSON.stringify(old.content)) continue;
    await sql`update router_template_version set content = ${JSON.stringify(sealed)}::jsonb
      where template_id = ${template_id} and version = ${version}`.execute(trx);
    written += 1;
  }
  return written;
}

function withSealed(content: TemplateContent, owner: SecretOwner, again: Again): TemplateContent {
  const parts = secretColumns.map(({ table, column }) => {
    const rows = (content[table] ?? []) as readonly Readonly<Record<string, unknown>>[];
    const sealed = rows.map((row) => {
      const stored = String(row[column] ?? "");
      return { ...row, [column]: stored && again(table, column, owner, stored) };
    });
    return [table, sealed] as const;
  });
  return { ...content, ...Object.fromEntries(parts.filter(([, rows]) => rows.length > 0)) };
}
