/**
 * Secrets of policy objects (PPPoE, BGP) at rest: sealed under the installation's key, with the name
 * of that key beside the value, so that it is known which values have still to be sealed under a new key.
 * A sealed value opens for its own column and its own owner only; a version of a template holds the
 * same sealed values as the template.
 */
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { PolicyTableName, StoredPolicy } from "#domains/policies/schema.ts";
import type { Resealed, Vault } from "#kernel/vault.ts";
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
/** What is stored instead: the same value where nothing is to be done. */
type Again = (table: string, column: string, owner: SecretOwner, stored: string) => string;

/**
 * Puts all values that are under one key under another, in published versions of templates too.
 * @param trx of the database's owner, on which the change of the key as a whole depends
 */
export async function resealPolicySecrets(trx: Trx, from: Vault, to: Vault): Promise<Resealed> {
  let [moved, unreadable] = [0, 0];
  const again: Again = (table, column, owner, stored) => {
    const secret = secretOf(from, table, column, owner).open(stored);
    if (secret === null) unreadable += 1;
    else moved += 1;
    return secret === null ? stored : secretOf(to, table, column, owner).seal(secret);
  };
  await resealVersions(trx, again);
  for (const { table, column } of secretColumns) await resealColumn(trx, table, column, again);
  return { moved, unreadable };
}

/** Tables with sealed values. */
export const policySecretTables: readonly string[] = [
  ...new Set(secretColumns.map(({ table }) => table)),
  "router_template_version",
];

interface SecretRow extends SecretOwner {
  readonly id: number;
  readonly stored: string;
}

async function resealColumn(trx: Trx, table: string, column: string, again: Again): Promise<void> {
  const { rows } = await sql<SecretRow>`
    select id, template_id, node_id, ${sql.ref(column)} as stored from ${sql.table(table)}
    where ${sql.ref(column)} <> '' order by id for update`.execute(trx);
  for (const row of rows) {
    const sealed = again(table, column, row, row.stored);
    if (sealed === row.stored) continue;
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
      where id = ${row.id}`.execute(trx);
  }
}

interface VersionRow {
  readonly template_id: number;
  readonly version: number;
  readonly content: StoredPolicy;
}

async function resealVersions(trx: Trx, again: Again): Promise<void> {
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
  }
}

function withSealed(content: StoredPolicy, owner: SecretOwner, again: Again): StoredPolicy {
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
