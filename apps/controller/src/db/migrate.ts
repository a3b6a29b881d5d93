import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { withClient } from "./embedded/login.ts";
import { locks } from "./locks.ts";
import { nameRoles, type RoleLogins, readLogins, roleUrlOf } from "./role-logins.ts";

/** One migration file `NNNN-name.sql`. */
interface Migration {
  readonly number: number;
  /** File name. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text with line ends normalised, in hexadecimal. */
  readonly checksum: string;
}

interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/** Folder of Weft's own migrations. */
export const MIGRATIONS = join(import.meta.dirname, "migrations");

/**
 * Brings the database to the state of the code: applies, as weft_owner, the migrations that it
 * lacks, in order, each in one transaction. Starts that come at once wait for each other.
 * @param url the database's URL, whose roles exist (bootstrapRoles).
 * @param most number of the last migration to apply, where it is not the last there is.
 * @returns names of the migrations that were applied.
 * @throws Error when an applied file was changed, the database is newer than the code, the files
 * have no numbers of their own that rise, or a migration fails (that one is rolled back as a whole).
 */
export async function migrate(
  url: string,
  folder: string = MIGRATIONS,
  most: number = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const files = await readMigrations(folder);
  const logins = await readLogins(url);
  return withClient(roleUrlOf(url, logins, "owner"), async (client) => {
    // Held by the connection: it ends with it, however the process ends.
    await client.query("select pg_advisory_lock($1, $2)", [...locks.migrations]);
    await prepare(client);
    const { rows } = await client.query<AppliedMigration>(
      "select number, name, checksum from weft_meta.migration order by number",
    );
    compare(rows, files);
    const pending = files.slice(rows.length).filter(({ number }) => number <= most);
    for (const migration of pending) await apply(client, migration, logins);
    return pending.map((migration) => migration.name);
  });
}

async function prepare(client: pg.Client): Promise<void> {
  await client.query(`
    set client_min_messages = warning;
    create schema if not exists weft;
    create schema if not exists weft_meta;
    create table if not exists weft_meta.migration (
      number int primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    );
    set search_path = weft, public`);
}

/** Reads and checks the folder's files; other names than NNNN-name.sql are refused. */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).sort();
  const migrations: Migration[] = [];
  for (const name of names) {
    const number = Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]);
    // Work that goes on side by side takes its numbers beforehand: what is given up leaves a gap.
    if (!(number > (migrations.at(-1)?.number ?? 0))) {
      throw new Error(`Migration ${name} is out of line: NNNN-name.sql, each number once.`);
    }
    const sql = (await readFile(join(folder, name), "utf8")).replaceAll("\r\n", "\n");
    const checksum = createHash("sha256").update(sql).digest("hex");
    migrations.push({ number, name, sql, checksum });
  }
  return migrations;
}

function compare(applied: readonly AppliedMigration[], files: readonly Migration[]): void {
  for (const [index, row] of applied.entries()) {
    const file = files[index];
    if (!file) {
      throw new Error(
        `The database is newer than this Weft: it has the migration ${row.name}, and the last ` +
          `one here is ${files.at(-1)?.name ?? "none"}. Start the newer Weft, or restore a backup.`,
      );
    }
    if (file.number !== row.number || file.checksum !== row.checksum) {
      throw new Error(
        `Migration ${file.name} was changed after this database applied it as ${row.name}. ` +
          "Applied migrations stay as they are; write a new one.",
      );
    }
  }
}

async function apply(
  client: pg.Client,
  migration: Migration,
  logins: Pick<RoleLogins, "suffix">,
): Promise<void> {
  const text = nameRoles(migration.sql, logins);
  try {
    await client.query("begin");
    const before = await transactionId(client);
    await client.query(text);
    if ((await transactionId(client)) !== before) {
      throw new Error("the file ends its transaction itself; it must not");
    }
    await client.query(
      "insert into weft_meta.migration (number, name, checksum) values ($1, $2, $3)",
      [migration.number, migration.name, migration.checksum],
    );
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
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
  const line = [...sql].slice(0, Number(position)).filter((letter) => letter === "\n").length + 1;
  return `, line ${line}: ${text}`;
}
