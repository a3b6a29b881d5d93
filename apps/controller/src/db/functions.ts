/**
 * Functions, views and triggers of the database (docs/adr/0041-database-functions.md). Their files say what the
 * database has: where one differs from what was applied, all are removed and made again, so that neither an
 * older signature, nor a grant, nor a function that a file no longer has is left.
 */
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import type pg from "pg";
import type { RoleLogins } from "./role-logins.ts";
import { type AppliedFile, readSqlFile, runSqlFile, type SqlFile } from "./sql-file.ts";

/** Weft's own folder. */
export const functionsFolder = join(import.meta.dirname, "functions");

/** Tables of weft_meta that hold which files were applied, and what they made. */
export const functionTables = `
  create table if not exists weft_meta.function_file (
    name text primary key,
    checksum text not null
  );
  create table if not exists weft_meta.function_object (
    -- In the order in which they were made.
    position integer primary key,
    -- As pg_identify_object names it: oids do not outlive a dump of the database.
    type text not null,
    identity text not null
  );`;

/** Reads the files of the folder and of those in it, in the order of their paths. */
export async function readFunctions(folder: string = functionsFolder): Promise<readonly SqlFile[]> {
  const names = (await readdir(folder, { recursive: true }))
    .map((name) => name.replaceAll(sep, "/"))
    .filter((name) => name.endsWith(".sql"))
    .sort();
  return Promise.all(names.map((name) => readSqlFile(folder, name)));
}

/** Names of the files that the database has otherwise, lacks, or has beside these. */
export async function changedFunctions(
  client: pg.Client,
  files: readonly SqlFile[],
): Promise<readonly string[]> {
  const { rows } = await client.query<AppliedFile>(
    "select name, checksum from weft_meta.function_file",
  );
  const wanted = new Map(files.map(({ name, checksum }) => [name, checksum]));
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const names = [...new Set([...wanted.keys(), ...applied.keys()])].sort();
  return names.filter((name) => wanted.get(name) !== applied.get(name));
}

/**
 * Removes what the files made, the last first, so that nothing depends on it any more. Migrations run without it:
 * they may change whatever its bodies name, and cannot rely on what an empty database has not got yet.
 */
export async function dropFunctions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ type: string; identity: string }>(
    "select type, identity from weft_meta.function_object order by position desc",
  );
  const drops = rows.map(({ type, identity }) => `drop ${type} if exists ${identity}`);
  await client.query(
    [...drops, "delete from weft_meta.function_object", "delete from weft_meta.function_file"].join(
      ";\n",
    ),
  );
}

/** Makes everything that the files hold, in their order, in the transaction that is open on the connection. */
export async function createFunctions(
  client: pg.Client,
  files: readonly SqlFile[],
  logins: Pick<RoleLogins, "suffix">,
): Promise<void> {
  const before = (await codeObjects(client)).map(({ key }) => key);
  // A body of text may name a function of a later file: bodies are checked once all are there.
  await client.query("set local check_function_bodies = off");
  for (const file of files) {
    await runSqlFile(client, `Function file ${file.name}`, file, logins);
    await client.query("insert into weft_meta.function_file (name, checksum) values ($1, $2)", [
      file.name,
      file.checksum,
    ]);
  }
  await client.query("set local check_function_bodies = on");
  const known = new Set(before);
  const made = (await codeObjects(client)).filter(({ key }) => !known.has(key));
  await checkBodies(client, made);
  await client.query(
    `insert into weft_meta.function_object (position, type, identity)
     select position, type, identity
     from unnest($1::text[], $2::text[]) with ordinality as made (type, identity, position)`,
    [made.map(({ type }) => type), made.map(({ identity }) => identity)],
  );
}

interface CodeObject {
  /** Catalogue and oid. */
  readonly key: string;
  readonly oid: string;
  readonly type: string;
  readonly identity: string;
}

/** All functions, procedures, views and triggers of the schema, in the order in which they were made. */
async function codeObjects(client: pg.Client): Promise<readonly CodeObject[]> {
  const { rows } = await client.query<CodeObject>(`
    select o.class || '/' || o.oid as key, o.oid::text, i.type, i.identity
    from (
      select 'pg_proc'::regclass as class, oid from pg_proc where pronamespace = 'weft'::regnamespace
      union all
      select 'pg_class'::regclass, oid from pg_class
        where relnamespace = 'weft'::regnamespace and relkind = 'v'
      union all
      select 'pg_trigger'::regclass, t.oid from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where c.relnamespace = 'weft'::regnamespace and not t.tgisinternal
    ) o cross join lateral pg_identify_object(o.class, o.oid, 0) i
    order by o.oid`);
  return rows;
}

/** @throws Error that names the first function whose body PostgreSQL refuses. */
async function checkBodies(client: pg.Client, made: readonly CodeObject[]): Promise<void> {
  const { rows } = await client.query<{ oid: string; validator: string }>(
    `select p.oid::text, l.lanvalidator::regproc::text as validator
     from unnest($1::oid[]) with ordinality as made (oid, position)
       join pg_proc p on p.oid = made.oid join pg_language l on l.oid = p.prolang
     where p.prosqlbody is null order by position`,
    [made.filter(({ type }) => type === "function" || type === "procedure").map(({ oid }) => oid)],
  );
  for (const { oid, validator } of rows) {
    try {
      await client.query(`select ${validator}($1::oid)`, [oid]);
    } catch (error) {
      const identity = made.find((code) => code.oid === oid)?.identity;
      throw new Error(`The function ${identity} is not valid: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}
