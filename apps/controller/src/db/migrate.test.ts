import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withClient } from "./embedded/login.ts";
import { migrate, migrationsFolder } from "./migrate.ts";
import { bareDatabase } from "./testing.ts";

let database: Awaited<ReturnType<typeof bareDatabase>>;
let folder: string;

const one = "2026-12-01-01-one.sql";
const two = "2026-12-01-02-two.sql";
const three = "2026-12-03-01-three.sql";

beforeEach(async () => {
  database = await bareDatabase();
  folder = await mkdtemp(join(tmpdir(), "weft-migrations-"));
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const write = (name: string, sql: string): Promise<void> => writeFile(join(folder, name), sql);

async function column(sql: string): Promise<unknown[]> {
  return withClient(database.url, async (client) => {
    const { rows } = await client.query({ text: sql, rowMode: "array" });
    return rows.map((row: unknown[]) => row[0]);
  });
}

test("applies in order what is missing, as the owner, and nothing twice", async () => {
  await write(one, "create table weft.t (n int); insert into t values (1);");
  await write(two, "insert into t select max(n) + 1 from t;");
  expect(await migrate(database.url, folder)).toEqual([one, two]);
  await write(three, "insert into t select max(n) + 1 from t;");
  expect(await migrate(database.url, folder)).toEqual([three]);
  expect(await migrate(database.url, folder)).toEqual([]);
  expect(await column("select n from weft.t order by n")).toEqual([1, 2, 3]);
  expect(await column("select tableowner from pg_tables where tablename = 't'")).toEqual([
    expect.stringMatching(/^weft_owner_/),
  ]);
});

test("starts that come at once apply each migration once", async () => {
  await write(one, "create table weft.t (n int); select pg_sleep(0.2);");
  await write(two, "insert into t values (1);");
  const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url, folder)));
  expect(applied.flat()).toEqual([one, two]);
  expect(await column("select n from weft.t")).toEqual([1]);
});

test("a failing migration leaves nothing of it, keeps those before, and names the line", async () => {
  await write(one, "create table weft.t (n int);");
  await write(two, "-- 上海\ncreate table weft.u (n int);\ninsert into nowhere values (1);\n");
  await expect(migrate(database.url, folder)).rejects.toThrow(
    /-two\.sql, line 3: relation "nowhere" does not exist/,
  );
  expect(await column("select to_regclass('weft.u')::text")).toEqual([null]);
  expect(await column("select name from weft_meta.migration")).toEqual([one]);
});

test("a file that commits by itself is refused", async () => {
  await write(one, "create table weft.t (n int); commit; begin;");
  await expect(migrate(database.url, folder)).rejects.toThrow(/ends its transaction itself/);
});

test("an applied file that was changed is refused; other line ends are no change", async () => {
  await write(one, "create table weft.t (\n n int);\n");
  await migrate(database.url, folder);
  await write(one, "create table weft.t (\r\n n int);\r\n");
  expect(await migrate(database.url, folder)).toEqual([]);
  await write(one, "create table weft.t (n bigint);\n");
  await write(two, "create table weft.u (n int);");
  await expect(migrate(database.url, folder)).rejects.toThrow(/01-one\.sql was changed/);
  expect(await column("select to_regclass('weft.u')::text")).toEqual([null]);
});

test("a database newer than the code is refused", async () => {
  await write(one, "select 1;");
  await write(two, "select 1;");
  await migrate(database.url, folder);
  await rm(join(folder, two));
  await expect(migrate(database.url, folder)).rejects.toThrow(/newer than this Weft.*02-two/);
});

test("names of another form are refused before anything runs", async () => {
  await write(one, "create table weft.t (n int);");
  for (const name of ["0002-two.sql", "2026-12-02-two.sql", "2026-12-02-01_two.sql"]) {
    await write(name, "select 1;");
    await expect(migrate(database.url, folder)).rejects.toThrow(`Migration ${name} is not named`);
    await rm(join(folder, name));
  }
  expect(await column("select to_regclass('weft_meta.migration')::text")).toEqual([null]);
});

test("what two people wrote on one day is applied, whichever comes first", async () => {
  await write(one, "create table weft.t (n int);");
  const ours = "2026-12-02-01-ours.sql";
  const theirs = "2026-12-02-01-theirs.sql";
  await write(theirs, "insert into t values (2);");
  await migrate(database.url, folder);
  await write(ours, "insert into t values (1);");
  expect(await migrate(database.url, folder)).toEqual([ours]);
  expect(await migrate(database.url, folder)).toEqual([]);
  expect(await column("select n from weft.t")).toEqual([2, 1]);
});

test("only the migrations that are asked for", async () => {
  await write(one, "create table weft.t (n int);");
  await write(two, "alter table weft.t add column m int;");
  await write(three, "alter table weft.t add column l int;");
  expect(await migrate(database.url, folder, new Set([one, three]))).toEqual([one, three]);
  expect(await migrate(database.url, folder)).toEqual([two]);
});

test("a database from before the first release is refused with a reason", async () => {
  await withClient(database.url, (client) =>
    client.query(`create schema weft_meta;
      create table weft_meta.migration (number int primary key, name text not null,
        checksum text not null, applied_at timestamptz not null default now());
      insert into weft_meta.migration values (1, '0001-ground.sql', 'x'), (65, '0065-findings.sql', 'x');
      grant usage on schema weft_meta to public;
      grant select on weft_meta.migration to public`),
  );
  await write(one, "create table weft.t (n int);");
  await expect(migrate(database.url, folder)).rejects.toThrow(
    /older than the first release .*0065-findings\.sql.*cannot be upgraded/,
  );
  expect(await column("select to_regclass('weft.t')::text")).toEqual([null]);
});

test("Weft's own migrations run on an empty database", async () => {
  const names = (await readdir(migrationsFolder)).sort();
  expect(await migrate(database.url)).toEqual(names);
  expect(names[0]).toBe("2026-11-22-01-ground.sql");
});
