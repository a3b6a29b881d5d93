/**
 * A database of each release, with rows in all of its tables, becomes one of today and keeps its rows.
 * `fixtures/releases/<n>/` holds what a release was: its migrations with their checksums, and rows.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withClient } from "#db/embedded/login.ts";
import { readFunctions } from "#db/functions.ts";
import { migrate, migrationsFolder, readMigrations } from "#db/migrate.ts";
import { roleUrl } from "#db/role-logins.ts";
import { bareDatabase } from "#db/testing.ts";
import { restoreBackup } from "../src/backup/restore-backup.ts";
import { writeBackup } from "../src/backup/write-backup.ts";

type Row = Readonly<Record<string, unknown>>;
/** Table -> its rows. */
type Content = Readonly<Record<string, readonly Row[]>>;

const releases = join(import.meta.dirname, "fixtures/releases");
const newestRelease = "1";

let database: Awaited<ReturnType<typeof bareDatabase>>;
let folder: string;

beforeEach(async () => {
  database = await bareDatabase();
  folder = await mkdtemp(join(tmpdir(), "weft-upgrade-"));
  await cp(migrationsFolder, folder, { recursive: true });
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const asOwner = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient(await roleUrl(database.url, "owner"), work);

async function migrationsOf(release: string): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(await readFile(join(releases, release, "migrations.json"), "utf8"));
}

/** Makes the database what a release would have left: its schema, and rows in all tables. */
async function install(release: string): Promise<Content> {
  await migrate(database.url, { only: new Set(Object.keys(await migrationsOf(release))) });
  const rows = await readFile(join(releases, release, "rows.sql"), "utf8");
  await asOwner((client) => client.query(rows));
  return content();
}

async function content(): Promise<Content> {
  return asOwner(async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'weft' order by 1",
    );
    const found: Record<string, readonly Row[]> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: Row }>(
        `select to_jsonb(t) as row from weft.${name} t order by to_jsonb(t)::text`,
      );
      found[name] = rows.map(({ row }) => row);
    }
    return found;
  });
}

/** Rows in the tables and columns that there were before, in one order: later ones are left out. */
function keptOf(now: Content, before: Content): Content {
  const kept = Object.entries(before).map(([name, rows]) => {
    const columns = Object.keys(rows[0] ?? {});
    const same = (now[name] ?? []).map((row) =>
      Object.fromEntries(columns.map((column) => [column, row[column]])),
    );
    return [name, same.toSorted((a, b) => (text(a) < text(b) ? -1 : 1))] as const;
  });
  return Object.fromEntries(kept);
}

const text = (value: unknown): string => JSON.stringify(value);

test("a migration of a release is as it was released", async () => {
  const released = await migrationsOf(newestRelease);
  const files = await readMigrations(migrationsFolder);
  const found = Object.fromEntries(
    files.filter(({ name }) => name in released).map((file) => [file.name, file.checksum]),
  );
  expect(found).toEqual(released);
  expect(Object.keys(released).length).toBeGreaterThan(10);
});

test("the rows of a release reach all of its tables", async () => {
  const before = await install(newestRelease);
  const empty = Object.entries(before).filter(([, rows]) => rows.length === 0);
  expect(empty.map(([name]) => name)).toEqual([]);
  expect(Object.keys(before).length).toBeGreaterThan(90);
});

test("a database of a release becomes one of today and keeps its rows", async () => {
  const before = await install(newestRelease);
  const released = await migrationsOf(newestRelease);
  const later = (await readMigrations(migrationsFolder)).filter(({ name }) => !(name in released));
  const functions = (await readFunctions()).map(({ name }) => name);
  expect(await migrate(database.url)).toEqual([...later.map(({ name }) => name), ...functions]);
  expect(keptOf(await content(), before)).toEqual(keptOf(before, before));
});

test("a share of a POP that nothing names any more ends, and one that something names stays", async () => {
  await install(newestRelease);
  const shares = async () =>
    asOwner(
      async (client) =>
        (await client.query("select row_id::int as pop, enterprise_id::int as of from weft.share"))
          .rows,
    );
  await asOwner((client) =>
    client.query(`with pop as (
      insert into weft.node (enterprise_id, kind, name, sn) values (1, 'pop', 'once', 'once') returning id)
      insert into weft.share (enterprise_id, kind, row_id) select 2, 'pop', id from pop`),
  );
  expect(await shares()).toHaveLength(2);
  await migrate(database.url);
  expect(await shares()).toEqual([{ pop: 2, of: 2 }]);
});

test("a circuit's POP that moved to another enterprise is shared with the one that it left, and an own POP with nobody", async () => {
  await install(newestRelease);
  const popId = await asOwner(async (client) => {
    await client.query("insert into weft.share (enterprise_id, kind, row_id) values (1, 'pop', 2)");
    const { rows } = await client.query<{ id: number }>(`with pop as (
        insert into weft.node (enterprise_id, kind, name, sn) values (1, 'pop', 'moved', 'moved') returning id),
      circuit as (
        insert into weft.circuit (enterprise_id, name, source_enterprise_id, source_id, target_enterprise_id, target_id,
          bandwidth_kbps, line_quality, enabled)
        select 2, 'to the moved one', 1, id, 1, 2, 2000, 0, true from pop)
      select id::int from pop`);
    return rows[0]?.id;
  });
  await migrate(database.url);
  const { rows } = await asOwner((client) =>
    client.query("select row_id::int as pop, enterprise_id::int as of from weft.share order by 1"),
  );
  expect(rows).toEqual([
    { pop: 2, of: 2 },
    { pop: popId, of: 2 },
  ]);
});

test("a backup of an older schema is restored, and becomes a database of today", async () => {
  const all = (await readMigrations(migrationsFolder)).map(({ name }) => name);
  await install(newestRelease);
  await asOwner((client) =>
    client.query("update weft.installation set controller_key = null, secret_key_hash = null"),
  );
  const before = await content();
  const backup = { file: join(folder, "older.backup"), passphrase: "correct horse battery" };
  await writeBackup({ url: database.url, dataDir: folder, ...backup });
  const target = await bareDatabase();
  const restored = { url: target.url, dataDir: await mkdtemp(join(folder, "data-")), ...backup };
  const ask = async (text: string) =>
    withClient(
      await roleUrl(target.url, "owner"),
      async (client) => (await client.query(text)).rows,
    );
  try {
    const { epoch } = await restoreBackup(restored);
    expect(await ask("select name from weft_meta.migration order by name")).toEqual(
      all.map((name) => ({ name })),
    );
    expect(await ask("select name from weft_meta.function_file order by name")).toEqual(
      (await readFunctions()).map(({ name }) => ({ name })),
    );
    expect(await ask("select epoch::int from weft.installation")).toEqual([{ epoch }]);
    expect(await ask("select id::int from weft.node order by id")).toEqual(
      (before.node ?? []).map(({ id }) => ({ id })).toSorted((a, b) => Number(a.id) - Number(b.id)),
    );
    expect(
      await ask(
        "select count(*)::int as recorded from weft.audit where action = 'installation.restore'",
      ),
    ).toEqual([{ recorded: 1 }]);
    await expect(restoreBackup(restored)).rejects.toThrow("The database is in use");
  } finally {
    await target.drop();
  }
});

test("a migration that forgets the rows there are is refused as a whole", async () => {
  const before = await install(newestRelease);
  await migrate(database.url, { migrations: folder });
  const name = "2999-01-01-01-altitude.sql";
  await writeFile(
    join(folder, name),
    `create table weft.hill (id bigint primary key);
     alter table weft.node add column altitude integer not null;`,
  );
  await expect(migrate(database.url, { migrations: folder })).rejects.toThrow(
    `Migration ${name}: column "altitude" of relation "node" contains null values`,
  );
  const after = await content();
  expect(after).not.toHaveProperty("hill");
  expect(keptOf(after, before)).toEqual(keptOf(before, before));
});

test("a migration that fills what it adds keeps all rows", async () => {
  const before = await install(newestRelease);
  await migrate(database.url, { migrations: folder });
  const name = "2999-01-01-01-altitude.sql";
  await writeFile(
    join(folder, name),
    `alter table weft.node add column altitude integer;
     update weft.node set altitude = 4 where kind = 'cpe';
     update weft.node set altitude = 0 where kind = 'pop';
     alter table weft.node alter column altitude set not null;`,
  );
  expect(await migrate(database.url, { migrations: folder })).toEqual([name]);
  const after = await content();
  expect(keptOf(after, before)).toEqual(keptOf(before, before));
  expect(after.node?.map(({ altitude }) => altitude)).toEqual([4, 0, 4]);
});

test("a migration that loses a row or changes a value is noticed", async () => {
  const before = await install(newestRelease);
  await migrate(database.url, { migrations: folder });
  await writeFile(
    join(folder, "2999-01-01-01-loss.sql"),
    "update weft.line set mtu = 1000 where slot = 1; delete from weft.dns_entry;",
  );
  await migrate(database.url, { migrations: folder });
  const kept = keptOf(await content(), before);
  const was = keptOf(before, before);
  const lost = Object.keys(was).filter((name) => text(was[name]) !== text(kept[name]));
  expect(lost).toEqual(["dns_entry", "line"]);
});
