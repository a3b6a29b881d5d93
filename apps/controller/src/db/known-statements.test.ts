import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { KnownStatements, type ValueOf } from "./known-statements.ts";
import { inScope } from "./pool.ts";
import { type TestDatabase, testDatabase } from "./testing.ts";

interface Sample {
  readonly sample: { readonly id: number; readonly name: string | null; readonly tags: string[] };
}

let database: TestDatabase<Sample>;

const whole = { kind: "all" } as const;

beforeAll(async () => {
  database = await testDatabase();
  await database.pools.owner.pg.query(`
    create table weft.sample (id int primary key, name text, tags text[] not null);
    grant all on weft.sample to ${database.pools.apiAll.name}`);
});
afterAll(() => database.drop());

const db = () => database.pools.apiAll.db as Kysely<Sample>;

test("a statement is built once for each shape, and runs with the values of each use", async () => {
  const statements = new KnownStatements();
  const insert = vi.fn((value: ValueOf) =>
    db()
      .insertInto("sample")
      .values({ id: value("id"), name: value("name"), tags: value("tags") })
      .returning(["id", "name", "tags"]),
  );
  const find = vi.fn((value: ValueOf) =>
    db()
      .selectFrom("sample")
      .select("id")
      .where(sql<boolean>`id = any(${value("ids")}::int[])`)
      .where("name", "=", value("name"))
      .orderBy("id")
      .limit(value("limit")),
  );
  await inScope(database.pools.apiAll, whole, async (trx) => {
    for (const row of [
      { id: 1, name: "a", tags: ["x", "y"] },
      { id: 2, name: null, tags: [] },
      { id: 3, name: "a", tags: ['"quoted", {}'] },
    ]) {
      expect(await statements.run(trx, "insert", insert, row)).toEqual([row]);
    }
    const idsOf = async (values: object) =>
      (await statements.run(trx, "find", find, { ...values })).map(({ id }) => id);
    expect(await idsOf({ ids: [1, 2, 3], name: "a", limit: 9 })).toEqual([1, 3]);
    expect(await idsOf({ ids: [3], name: "a", limit: 9 })).toEqual([3]);
    expect(await idsOf({ ids: [1, 3], name: "a", limit: 1 })).toEqual([1]);
  });
  expect(insert).toHaveBeenCalledTimes(1);
  expect(find).toHaveBeenCalledTimes(1);
});

test("values that all uses have alike stay in it, and one that is missing is an error", () => {
  const statements = new KnownStatements();
  const build = (value: ValueOf) =>
    db()
      .selectFrom("sample")
      .select("id")
      .where("name", "=", "fixed")
      .where("id", "=", value("id"));
  const compiled = statements.compiled("some", build, { id: 7 });
  expect(compiled.parameters).toEqual(["fixed", 7]);
  expect(statements.compiled("some", build, { id: null }).parameters).toEqual(["fixed", null]);
  expect(() => statements.compiled("some", build, {})).toThrow("no value for id");
});

test("a shape that is null is built each time, and no number of shapes is kept without end", () => {
  const statements = new KnownStatements();
  const build = vi.fn((value: ValueOf) =>
    db().selectFrom("sample").select("id").where("id", "=", value("id")),
  );
  for (let use = 0; use < 3; use += 1) statements.compiled(null, build, { id: use });
  expect(build).toHaveBeenCalledTimes(3);
  build.mockClear();
  for (let shape = 0; shape < 1_001; shape += 1) {
    statements.compiled(`shape ${shape}`, build, { id: 1 });
  }
  statements.compiled("shape 0", build, { id: 1 });
  statements.compiled("shape 1000", build, { id: 1 });
  expect(build).toHaveBeenCalledTimes(1_002);
});
