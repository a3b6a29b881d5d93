import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withClient } from "./embedded/login.ts";
import { readFunctions } from "./functions.ts";
import { migrate, migrationsFolder } from "./migrate.ts";
import { roleUrl } from "./role-logins.ts";
import { bareDatabase } from "./testing.ts";

let database: Awaited<ReturnType<typeof bareDatabase>>;
let folder: string;

const one = "2026-12-01-01-one.sql";
const two = "2026-12-01-02-two.sql";
const three = "2026-12-03-01-three.sql";

beforeEach(async () => {
  database = await bareDatabase();
  folder = await mkdtemp(join(tmpdir(), "weft-migrations-"));
  await Promise.all(["migrations", "functions"].map((name) => mkdir(join(folder, name))));
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const write = (name: string, sql: string): Promise<void> =>
  writeFile(join(folder, "migrations", name), sql);

async function writeFunctions(name: string, sql: string): Promise<void> {
  const file = join(folder, "functions", name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, sql);
}

const run = (only?: ReadonlySet<string>): Promise<string[]> =>
  migrate(database.url, {
    migrations: join(folder, "migrations"),
    functions: join(folder, "functions"),
    ...(only && { only }),
  });

async function column(sql: string): Promise<unknown[]> {
  return withClient(database.url, async (client) => {
    const { rows } = await client.query({ text: sql, rowMode: "array" });
    return rows.map((row: unknown[]) => row[0]);
  });
}

test("applies in order what is missing, as the owner, and nothing twice", async () => {
  await write(one, "create table weft.t (n int); insert into t values (1);");
  await write(two, "insert into t select max(n) + 1 from t;");
  expect(await run()).toEqual([one, two]);
  await write(three, "insert into t select max(n) + 1 from t;");
  expect(await run()).toEqual([three]);
  expect(await run()).toEqual([]);
  expect(await column("select n from weft.t order by n")).toEqual([1, 2, 3]);
  expect(await column("select tableowner from pg_tables where tablename = 't'")).toEqual([
    expect.stringMatching(/^weft_owner_/),
  ]);
});

test("starts that come at once apply each migration once", async () => {
  await write(one, "create table weft.t (n int); select pg_sleep(0.2);");
  await write(two, "insert into t values (1);");
  const applied = await Promise.all([1, 2, 3].map(() => run()));
  expect(applied.flat()).toEqual([one, two]);
  expect(await column("select n from weft.t")).toEqual([1]);
});

test("a failing migration leaves the database as it was, and names the line", async () => {
  await write(one, "create table weft.t (n int);");
  await run();
  await write(two, "alter table weft.t add column m int;");
  await write(three, "-- 上海\ncreate table weft.u (n int);\ninsert into nowhere values (1);\n");
  await expect(run()).rejects.toThrow(/-three\.sql, line 3: relation "nowhere" does not exist/);
  expect(await column("select to_regclass('weft.u')::text")).toEqual([null]);
  expect(await column("select name from weft_meta.migration")).toEqual([one]);
  expect(
    await column(`select attname from pg_attribute
    where attrelid = 'weft.t'::regclass and attnum > 0`),
  ).toEqual(["n"]);
});

test("a file that commits by itself is refused", async () => {
  await write(one, "create table weft.t (n int); commit; begin;");
  await expect(run()).rejects.toThrow(/ends its transaction itself/);
});

test("an applied file that was changed is refused; other line ends are no change", async () => {
  await write(one, "create table weft.t (\n n int);\n");
  await run();
  await write(one, "create table weft.t (\r\n n int);\r\n");
  expect(await run()).toEqual([]);
  await write(one, "create table weft.t (n bigint);\n");
  await write(two, "create table weft.u (n int);");
  await expect(run()).rejects.toThrow(/01-one\.sql was changed/);
  expect(await column("select to_regclass('weft.u')::text")).toEqual([null]);
});

test("a database newer than the code is refused", async () => {
  await write(one, "select 1;");
  await write(two, "select 1;");
  await run();
  await rm(join(folder, "migrations", two));
  await expect(run()).rejects.toThrow(/newer than this Weft.*02-two/);
});

test("names of another form are refused before anything runs", async () => {
  await write(one, "create table weft.t (n int);");
  for (const name of ["0002-two.sql", "2026-12-02-two.sql", "2026-12-02-01_two.sql"]) {
    await write(name, "select 1;");
    await expect(run()).rejects.toThrow(`Migration ${name} is not named`);
    await rm(join(folder, "migrations", name));
  }
  expect(await column("select to_regclass('weft_meta.migration')::text")).toEqual([null]);
});

test("what two people wrote on one day is applied, whichever comes first", async () => {
  await write(one, "create table weft.t (n int);");
  const ours = "2026-12-02-01-ours.sql";
  const theirs = "2026-12-02-01-theirs.sql";
  await write(theirs, "insert into t values (2);");
  await run();
  await write(ours, "insert into t values (1);");
  expect(await run()).toEqual([ours]);
  expect(await run()).toEqual([]);
  expect(await column("select n from weft.t")).toEqual([2, 1]);
});

test("runs only the requested migrations", async () => {
  await write(one, "create table weft.t (n int);");
  await write(two, "alter table weft.t add column m int;");
  await write(three, "alter table weft.t add column l int;");
  expect(await run(new Set([one, three]))).toEqual([one, three]);
  expect(await run()).toEqual([two]);
});

test("a database from before the first release is refused with a reason", async () => {
  await write("2026-11-22-02-tables.sql", "create table weft.t (n int);");
  await write("2026-11-23-01-names.sql", "alter table weft.t rename to s;");
  await run();
  await rm(join(folder, "migrations"), { recursive: true });
  await mkdir(join(folder, "migrations"));
  await write(one, "create table weft.u (n int);");
  await expect(run()).rejects.toThrow(
    /older than the first release .*2026-11-23-01-names\.sql.*cannot be upgraded. Name an empty/,
  );
  expect(await column("select to_regclass('weft.u')::text")).toEqual([null]);
});

test("functions are made in the order of their files, after the tables", async () => {
  await write(one, "create table weft.t (n int);");
  await writeFunctions(
    "02-b/twice.sql",
    "create function weft.twice() returns bigint return 2 * weft.total();",
  );
  await writeFunctions(
    "01-a/total.sql",
    "create function weft.total() returns bigint begin atomic select sum(n) from weft.t; end;",
  );
  expect(await run()).toEqual([one, "01-a/total.sql", "02-b/twice.sql"]);
  expect(await run()).toEqual([]);
  await withClient(database.url, (client) => client.query("insert into weft.t values (4)"));
  expect(await column("select weft.twice()")).toEqual(["8"]);
});

test("a changed function file is applied: other results, arguments and grants", async () => {
  await writeFunctions(
    "f.sql",
    `create function weft.f(n int) returns int return n;
     grant execute on function weft.f(int) to weft_gateway;`,
  );
  await run();
  await writeFunctions(
    "f.sql",
    `create function weft.f(m text) returns text return m;
     revoke execute on function weft.f(text) from public;`,
  );
  expect(await run()).toEqual(["f.sql"]);
  expect(await column("select oid::regprocedure::text from pg_proc where proname = 'f'")).toEqual([
    "weft.f(text)",
  ]);
  expect(await column("select cardinality(proacl) from pg_proc where proname = 'f'")).toEqual([1]);
});

test("an object that its file no longer has is dropped, with what depends on it", async () => {
  await write(one, "create table weft.t (n int);");
  await writeFunctions(
    "a.sql",
    `create view weft.v as select n from weft.t;
     create function weft.kept() returns bigint begin atomic select count(*) from weft.v; end;`,
  );
  await writeFunctions(
    "b.sql",
    `create function weft.gone() returns trigger language plpgsql as 'begin return null; end';
     create trigger gone after insert on weft.t for each row execute function weft.gone();
     create procedure weft.also_gone() begin atomic select weft.kept(); end;`,
  );
  await run();
  await writeFunctions(
    "a.sql",
    "create function weft.kept() returns bigint begin atomic select count(*) from weft.t; end;",
  );
  await rm(join(folder, "functions", "b.sql"));
  expect(await run()).toEqual(["a.sql", "b.sql"]);
  expect(
    await column(`select proname::text from pg_proc
      where pronamespace = 'weft'::regnamespace
      union all select relname from pg_class where relname = 'v'
      union all select tgname from pg_trigger where tgname = 'gone'`),
  ).toEqual(["kept"]);
});

test("a function that a migration made stays", async () => {
  await write(
    one,
    `create function weft.even(n int) returns boolean immutable return n % 2 = 0;
     create table weft.t (n int check (weft.even(n)));`,
  );
  await writeFunctions("f.sql", "create function weft.f() returns int return 1;");
  await run();
  await writeFunctions("f.sql", "create function weft.f() returns int return 2;");
  await run();
  expect(
    await column(`select proname::text from pg_proc
      where pronamespace = 'weft'::regnamespace order by 1`),
  ).toEqual(["even", "f"]);
});

test("a migration changes a column that a function and a view use, and its rows meet no trigger", async () => {
  await write(one, "create table weft.t (n int); insert into t values (1);");
  await writeFunctions(
    "f.sql",
    `create view weft.v as select n from weft.t;
     create function weft.f() returns text begin atomic select max(n::text) from weft.v; end;
     create function weft.refuse() returns trigger language plpgsql as
       'begin raise exception ''no''; end';
     create trigger refuse before update on weft.t for each row execute function weft.refuse();`,
  );
  await run();
  await write(two, "alter table weft.t alter column n type text; update weft.t set n = n || '!';");
  expect(await run()).toEqual([two]);
  expect(await column("select weft.f()")).toEqual(["1!"]);
  await withClient(database.url, async (client) => {
    await expect(client.query("update weft.t set n = '2'")).rejects.toThrow("no");
  });
});

test("a body may name a function of a later file, and nothing that is not there", async () => {
  const body = "create function weft.f() returns int language sql as 'select weft.g()';";
  await writeFunctions("a.sql", body);
  await writeFunctions("b.sql", "create function weft.g() returns int return 1;");
  await run();
  expect(await column("select weft.f()")).toEqual([1]);
  await writeFunctions("b.sql", "create function weft.h() returns int return 1;");
  await expect(run()).rejects.toThrow(/weft\.f\(\) is not valid: function weft\.g\(\) does not/);
  expect(await column("select weft.f()")).toEqual([1]);
});

test("a function file that fails leaves the functions as they were, and names the line", async () => {
  await writeFunctions("f.sql", "create function weft.f() returns int return 1;");
  await run();
  await write(one, "create table weft.t (n int);");
  await writeFunctions("f.sql", "\ncreate function weft.f() returns int return nowhere;");
  await expect(run()).rejects.toThrow(/Function file f\.sql, line 2: column "nowhere"/);
  expect(await column("select weft.f()")).toEqual([1]);
  expect(await column("select to_regclass('weft.t')::text")).toEqual([null]);
});

test("with only some of the migrations there are no functions; the rest brings them", async () => {
  await write(one, "create table weft.t (n int);");
  await write(two, "alter table weft.t add column m int;");
  await writeFunctions(
    "f.sql",
    "create function weft.f() returns int begin atomic select m from weft.t; end;",
  );
  expect(await run(new Set([one]))).toEqual([one]);
  expect(await column("select count(*)::int from pg_proc where proname = 'f'")).toEqual([0]);
  expect(await run()).toEqual([two, "f.sql"]);
});

test("Weft's own migrations and functions make an empty database, and nothing is left to do", async () => {
  const names = (await readdir(migrationsFolder)).sort();
  const functions = (await readFunctions()).map(({ name }) => name);
  expect(await migrate(database.url)).toEqual([...names, ...functions]);
  expect(names[0]).toBe("2026-12-04-00-01-ground.sql");
  expect(await migrate(database.url)).toEqual([]);
});

test("Weft's functions are removed and made again on tables with rows", async () => {
  await migrate(database.url);
  const defined = () =>
    column(`select coalesce(pg_get_functiondef(p.oid) || p.proacl::text, p.proname)
      from pg_proc p where pronamespace = 'weft'::regnamespace and prokind in ('f', 'p')
      union all select pg_get_triggerdef(t.oid) from pg_trigger t
      union all select pg_get_viewdef(c.oid) from pg_class c
        where relnamespace = 'weft'::regnamespace and relkind = 'v' order by 1`);
  const before = await defined();
  expect(before.length).toBeGreaterThan(200);
  await withClient(await roleUrl(database.url, "owner"), (client) =>
    client.query(
      "update weft_meta.function_file set checksum = '' where name like '%/networks.sql'",
    ),
  );
  expect(await migrate(database.url)).toEqual(["05-overlay/networks.sql"]);
  expect(await defined()).toEqual(before);
});
