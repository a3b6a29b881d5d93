import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withClient } from "./embedded/login.ts";
import { MIGRATIONS, migrate } from "./migrate.ts";
import { bareDatabase } from "./testing.ts";

let database: Awaited<ReturnType<typeof bareDatabase>>;
let folder: string;

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
  await write("0001-one.sql", "create table weft.t (n int); insert into t values (1);");
  await write("0002-two.sql", "insert into t select max(n) + 1 from t;");
  expect(await migrate(database.url, folder)).toEqual(["0001-one.sql", "0002-two.sql"]);
  await write("0003-three.sql", "insert into t select max(n) + 1 from t;");
  expect(await migrate(database.url, folder)).toEqual(["0003-three.sql"]);
  expect(await migrate(database.url, folder)).toEqual([]);
  expect(await column("select n from weft.t order by n")).toEqual([1, 2, 3]);
  expect(await column("select tableowner from pg_tables where tablename = 't'")).toEqual([
    expect.stringMatching(/^weft_owner_/),
  ]);
});

test("starts that come at once apply each migration once", async () => {
  await write("0001-one.sql", "create table weft.t (n int); select pg_sleep(0.2);");
  await write("0002-two.sql", "insert into t values (1);");
  const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url, folder)));
  expect(applied.flat()).toEqual(["0001-one.sql", "0002-two.sql"]);
  expect(await column("select n from weft.t")).toEqual([1]);
});

test("a failing migration leaves nothing of it, keeps those before, and names the line", async () => {
  await write("0001-one.sql", "create table weft.t (n int);");
  await write(
    "0002-two.sql",
    "-- 上海\ncreate table weft.u (n int);\ninsert into nowhere values (1);\n",
  );
  await expect(migrate(database.url, folder)).rejects.toThrow(
    /0002-two\.sql, line 3: relation "nowhere" does not exist/,
  );
  expect(await column("select to_regclass('weft.u')::text")).toEqual([null]);
  expect(await column("select name from weft_meta.migration")).toEqual(["0001-one.sql"]);
});

test("a file that commits by itself is refused", async () => {
  await write("0001-one.sql", "create table weft.t (n int); commit; begin;");
  await expect(migrate(database.url, folder)).rejects.toThrow(/ends its transaction itself/);
});

test("an applied file that was changed is refused; other line ends are no change", async () => {
  await write("0001-one.sql", "create table weft.t (\n n int);\n");
  await migrate(database.url, folder);
  await write("0001-one.sql", "create table weft.t (\r\n n int);\r\n");
  expect(await migrate(database.url, folder)).toEqual([]);
  await write("0001-one.sql", "create table weft.t (n bigint);\n");
  await write("0002-two.sql", "create table weft.u (n int);");
  await expect(migrate(database.url, folder)).rejects.toThrow(/0001-one\.sql was changed/);
  expect(await column("select to_regclass('weft.u')::text")).toEqual([null]);
});

test("a database newer than the code is refused", async () => {
  await write("0001-one.sql", "select 1;");
  await write("0002-two.sql", "select 1;");
  await migrate(database.url, folder);
  await rm(join(folder, "0002-two.sql"));
  await expect(migrate(database.url, folder)).rejects.toThrow(/newer than this Weft.*0002-two/);
});

test("files out of line are refused before anything runs", async () => {
  await write("0001-one.sql", "create table weft.t (n int);");
  await write("0001-other.sql", "select 1;");
  await expect(migrate(database.url, folder)).rejects.toThrow(/0001-other\.sql is out of line/);
  await rm(join(folder, "0001-other.sql"));
  await write("0002_two.sql", "select 1;");
  await expect(migrate(database.url, folder)).rejects.toThrow(/0002_two\.sql/);
  expect(await column("select to_regclass('weft_meta.migration')::text")).toEqual([null]);
});

test("numbers may leave gaps", async () => {
  await write("0001-one.sql", "create table weft.t (n int);");
  await write("0003-three.sql", "alter table weft.t add column m int;");
  expect(await migrate(database.url, folder)).toEqual(["0001-one.sql", "0003-three.sql"]);
  expect(await migrate(database.url, folder)).toEqual([]);
});

test("Weft's own migrations run on an empty database", async () => {
  const names = (await readdir(MIGRATIONS)).sort();
  expect(await migrate(database.url)).toEqual(names);
  expect(names[0]).toBe("0001-ground.sql");
});
