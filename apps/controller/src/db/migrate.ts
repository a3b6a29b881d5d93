import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { withClient } from "./embedded/login.ts";
import { locks } from "./locks.ts";
import { nameRoles, type RoleLogins, readLogins, roleUrlOf } from "./role-logins.ts";

/** One migration file `YYYY-MM-DD-NN-name.sql`; its name is its identity (docs/database.md). */
interface Migration {
  /** File name. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text with line ends normalised, in hexadecimal. */
  readonly checksum: string;
}

type AppliedMigration = Pick<Migration, "name" | "checksum">;

/** Folder of Weft's own migrations. */
export const migrationsFolder = join(import.meta.dirname, "migrations");

/**
 * Brings the database to the state of the code: applies, as weft_owner, the migrations that it
 * lacks, in the order of their names, each in one transaction. Starts that come at once wait for each
 * other.
 * @param url the database's URL, whose roles exist (bootstrapRoles).
 * @param only names of the migrations to apply, where it is not all that are missing.
 * @returns names of the migrations that were applied.
 * @throws Error when an applied file was changed, the database is newer than the code or older than
 * the first release, a file has another form of name, or a migration fails (that one is rolled back
 * as a whole).
 */
export async function migrate(
  url: string,
  folder: string = migrationsFolder,
  only?: ReadonlySet<string>,
): Promise<string[]> {
  const files = await readMigrations(folder);
  const logins = await readLogins(url);
  return withClient(roleUrlOf(url, logins, "owner"), async (client) => {
    // Held by the connection: it ends with it, however the process ends.
    await client.query("select pg_advisory_lock($1, $2)", [...locks.migrations]);
    await refuseUnreleased(client);
    await prepare(client);
    const { rows } = await client.query<AppliedMigration>(
      "select name, checksum from weft_meta.migration order by name",
    );
    refuseOthers(rows, files);
    const applied = new Set(rows.map(({ name }) => name));
    const pending = files.filter(({ name }) => !applied.has(name) && (only?.has(name) ?? true));
    for (const migration of pending) await apply(client, migration, logins);
    return pending.map((migration) => migration.name);
  });
}

/** Before the first release migrations had numbers; what they made cannot be upgraded. */
async function refuseUnreleased(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_attribute
      where attrelid = to_regclass('weft_meta.migration') and attname = 'number'`,
  );
  if (rowCount === 0) return;
  const { rows } = await client.query<{ name: string | null }>(
    "select max(name) as name from weft_meta.migration",
  );
  throw new Error(
    "The database was made by a Weft older than the first release (its last migration is " +
      `${rows[0]?.name ?? "none"}), and cannot be upgraded. Name an empty WEFT_DATA or WEFT_DATABASE_URL.`,
  );
}

async function prepare(client: pg.Client): Promise<void> {
  await client.query(`
    set client_min_messages = warning;
    create schema if not exists weft;
    create schema if not exists weft_meta;
    create table if not exists weft_meta.migration (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    );
    set search_path = weft, public`);
}

/** Reads the folder's files in the order of their names; names of another form are refused. */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      if (!/^\d{4}-\d{2}-\d{2}-\d{2}-[a-z0-9-]+\.sql$/.test(name)) {
        throw new Error(`Migration ${name} is not named YYYY-MM-DD-NN-name.sql.`);
      }
      const sql = (await readFile(join(folder, name), "utf8")).replaceAll("\r\n", "\n");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

function refuseOthers(applied: readonly AppliedMigration[], files: readonly Migration[]): void {
  const found = new Map(files.map((file) => [file.name, file]));
  for (const { name, checksum } of applied) {
    const file = found.get(name);
    if (!file) {
      throw new Error(
        `The database is newer than this Weft: it has the migration ${name}, and the last ` +
          `one here is ${files.at(-1)?.name ?? "none"}. Start the newer Weft, or restore a backup.`,
      );
    }
    if (file.checksum !== checksum) {
      throw new Error(
        `Migration ${name} was changed after this database applied it. ` +
          "Applied migrations stay as they are; write a new one.",
      );
    }
  }
}

/**
 * Applies what is missing in the transaction that is open on this connection: what it did before and the
 * migrations happen together, or neither does.
 * @throws Error as `migrate` does; the transaction is aborted then
 */
export async function migrateWithin(client: pg.Client, url: string): Promise<void> {
  const logins = await readLogins(url);
  const { rows } = await client.query<AppliedMigration>(
    "select name, checksum from weft_meta.migration",
  );
  const applied = new Set(rows.map(({ name }) => name));
  // A table with checks of its foreign keys before it cannot be altered.
  await client.query("set constraints all immediate");
  for (const migration of await readMigrations(migrationsFolder)) {
    if (!applied.has(migration.name)) await applyWithin(client, migration, logins);
  }
}

async function apply(
  client: pg.Client,
  migration: Migration,
  logins: Pick<RoleLogins, "suffix">,
): Promise<void> {
  try {
    await client.query("begin");
    await applyWithin(client, migration, logins);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

async function applyWithin(
  client: pg.Client,
  migration: Migration,
  logins: Pick<RoleLogins, "suffix">,
): Promise<void> {
  const text = nameRoles(migration.sql, logins);
  try {
    const before = await transactionId(client);
    await client.query(text);
    if ((await transactionId(client)) !== before) {
      throw new Error("the file ends its transaction itself; it must not");
    }
    await client.query("insert into weft_meta.migration (name, checksum) values ($1, $2)", [
      migration.name,
      migration.checksum,
    ]);
  } catch (error) {
    throw new Error(`Migration ${migration.name}${place(text, error)}`, { cause: error });
  }
}

async function transactionId(client: pg.Client): Promise<string> {
  const { rows } = await client.query("select pg_current_xact_id()::text as id");
  return (rows[0] as { id: string }).id;
}

function place(sql: string, error: unknown): string {
  const { message, position, where } = error as {
    message: string;
    position?: string;
    where?: string;
  };
  // `where` names the statement inside a function or DO block.
  const text = where ? `${message} (${where})` : message;
  if (!position) return `: ${text}`;
  // The position counts characters, not UTF-16 units.
  const line =
    [...sql].slice(0, Number(position)).filter((character) => character === "\n").length + 1;
  return `, line ${line}: ${text}`;
}
