import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { withClient } from "./embedded/login.ts";
import {
  changedFunctions,
  createFunctions,
  dropFunctions,
  functionsFolder,
  functionTables,
  readFunctions,
} from "./functions.ts";
import { locks } from "./locks.ts";
import { type RoleLogins, readLogins, roleUrlOf } from "./role-logins.ts";
import { type AppliedFile, readSqlFile, runSqlFile, type SqlFile } from "./sql-file.ts";

/** Folder of Weft's own migrations: files `YYYY-MM-DD-NN-name.sql`, whose names are their identities. */
export const migrationsFolder = join(import.meta.dirname, "migrations");

interface MigrateOptions {
  readonly migrations?: string;
  readonly functions?: string;
  /** Names of the migrations to apply, where it is not all that are missing. Functions are left out. */
  readonly only?: ReadonlySet<string>;
}

/**
 * Brings the database to the state of the code: applies, as weft_owner, the migrations that it
 * lacks, in the order of their names, and then the function files if one of them changed, all in one
 * transaction. Starts that come at once wait for each other.
 * @param url the database's URL, whose roles exist (bootstrapRoles).
 * @returns names of the migrations and of the function files that were applied because they were new or changed.
 * @throws Error when an applied migration was changed, the database is newer than the code or older than
 * the first release, a migration has another form of name, or a file fails; the database is as before then.
 */
export async function migrate(
  url: string,
  { migrations = migrationsFolder, functions = functionsFolder, only }: MigrateOptions = {},
): Promise<string[]> {
  const files = await readMigrations(migrations);
  const functionFiles = only ? undefined : await readFunctions(functions);
  const logins = await readLogins(url);
  return withClient(roleUrlOf(url, logins, "owner"), async (client) => {
    // Held by the connection: it ends with it, however the process ends.
    await client.query("select pg_advisory_lock($1, $2)", [...locks.migrations]);
    await prepare(client);
    refuseOthers(await appliedMigrations(client), files);
    await client.query("begin");
    try {
      const applied = await applyMissing(client, { files, functionFiles, only, logins });
      await client.query("commit");
      return applied;
    } catch (error) {
      await client.query("rollback").catch(() => undefined);
      throw error;
    }
  });
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
    ${functionTables}
    set search_path = weft, public`);
}

/** Reads the folder's files in the order of their names; names of another form are refused. */
export async function readMigrations(folder: string): Promise<readonly SqlFile[]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map((name) => {
      if (!/^\d{4}-\d{2}-\d{2}-\d{2}-[a-z0-9-]+\.sql$/.test(name)) {
        throw new Error(`Migration ${name} is not named YYYY-MM-DD-NN-name.sql.`);
      }
      return readSqlFile(folder, name);
    }),
  );
}

async function appliedMigrations(client: pg.Client): Promise<readonly AppliedFile[]> {
  const { rows } = await client.query<AppliedFile>(
    "select name, checksum from weft_meta.migration order by name",
  );
  return rows;
}

/** True for a migration from before the first release: what those made cannot be upgraded. */
export const isUnreleased = (name: string, files: readonly SqlFile[]): boolean =>
  files[0] !== undefined && name < files[0].name;

function refuseOthers(applied: readonly AppliedFile[], files: readonly SqlFile[]): void {
  const found = new Map(files.map((file) => [file.name, file]));
  for (const { name, checksum } of applied) {
    const file = found.get(name);
    if (!file && isUnreleased(name, files)) {
      throw new Error(
        "The database was made by a Weft older than the first release (its last migration is " +
          `${applied.at(-1)?.name}), and cannot be upgraded. Name an empty WEFT_DATA or WEFT_DATABASE_URL.`,
      );
    }
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
  // A table with checks of its foreign keys before it cannot be altered.
  await client.query("set constraints all immediate");
  await applyMissing(client, {
    files: await readMigrations(migrationsFolder),
    functionFiles: await readFunctions(),
    logins,
  });
}

async function applyMissing(
  client: pg.Client,
  {
    files,
    functionFiles,
    only,
    logins,
  }: {
    readonly files: readonly SqlFile[];
    /** Absent: functions are left out. */
    readonly functionFiles?: readonly SqlFile[] | undefined;
    readonly only?: ReadonlySet<string> | undefined;
    readonly logins: Pick<RoleLogins, "suffix">;
  },
): Promise<string[]> {
  const applied = new Set((await appliedMigrations(client)).map(({ name }) => name));
  const pending = files.filter(({ name }) => !applied.has(name) && (only?.has(name) ?? true));
  const changed = functionFiles ? await changedFunctions(client, functionFiles) : [];
  if (pending.length === 0 && changed.length === 0) return [];
  await dropFunctions(client);
  for (const migration of pending) {
    await runSqlFile(client, `Migration ${migration.name}`, migration, logins);
    await client.query("insert into weft_meta.migration (name, checksum) values ($1, $2)", [
      migration.name,
      migration.checksum,
    ]);
  }
  if (functionFiles) await createFunctions(client, functionFiles, logins);
  return [...pending.map(({ name }) => name), ...changed];
}
