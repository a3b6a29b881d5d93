import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope, scopedRead } from "./pool.ts";
import { createNames } from "./prepared.ts";
import { type TestDatabase, testDatabase } from "./testing.ts";

let database: TestDatabase<Record<string, Record<string, unknown>>>;

const whole = { kind: "all" } as const;
const scope = { kind: "enterprises", ids: [1], userId: null, ownOnly: false } as const;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test("a statement is prepared at its third use, and stays so until all are discarded", () => {
  const names = createNames();
  const third = (text: string) => [1, 2, 3].map(() => names.of(text)).at(-1);
  expect([names.of("a"), names.of("a")]).toEqual([undefined, undefined]);
  expect(third("a")).toBe("weft_1");
  expect(names.of("a ")).toBeUndefined();
  expect(third("b")).toBe("weft_2");
  names.forget();
  expect(third("a")).toBe("weft_3");
});

test("texts without end get no names without end", () => {
  const names = createNames();
  const given = Array.from({ length: 1_000 }, (_, n) => {
    for (let use = 0; use < 2; use++) names.of(`select ${n}`);
    return names.of(`select ${n}`);
  });
  expect(given.filter((name) => name !== undefined)).toHaveLength(250);
});

test("prepares frequent statements, which return the values of each call", async () => {
  const { pools } = database;
  const seen: unknown[] = [];
  for (let n = 0; n < 20; n++) {
    const { rows } = await scopedRead(pools.api, scope, (trx) =>
      sql<{ n: number; prepared: number }>`select ${n}::int as n,
        (select count(*)::int from pg_prepared_statements where statement like '%as n,%') as prepared`.execute(
        trx,
      ),
    );
    seen.push(rows[0]?.n);
    if (n === 19) expect(rows[0]?.prepared).toBe(1);
  }
  expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => n));
});

test("a search by pattern is planned for its pattern", async () => {
  const { pools } = database;
  for (let n = 0; n < 5; n++) {
    const { rows } = await scopedRead(pools.api, scope, (trx) =>
      sql<{ prepared: number }>`select count(*)::int as prepared from pg_prepared_statements
        where statement like '%by pattern%' and 'by pattern' ilike ${`%${n}%`}`.execute(trx),
    );
    expect(rows[0]?.prepared).toBe(0);
  }
});

test("a statement that fails, fails each time, and its connection stays usable", async () => {
  const { pools } = database;
  const divide = (by: number) =>
    inScope(pools.apiAll, whole, (trx) =>
      sql<{ n: number }>`select 8 / ${by}::int as n`.execute(trx),
    );
  for (let round = 0; round < 5; round++) {
    await expect(divide(0)).rejects.toMatchObject({ code: "22012" });
    expect((await divide(2)).rows).toEqual([{ n: 4 }]);
  }
});

test("sent side by side on one pipeline, the first and the hundredth are answered alike", async () => {
  const { pools } = database;
  const all = await scopedRead(pools.api, scope, (trx) =>
    Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        sql<{ twice: number }>`select 2 * ${n}::int as twice`.execute(trx),
      ),
    ),
  );
  expect(all.map(({ rows }) => rows[0]?.twice)).toEqual(all.map((_, n) => 2 * n));
});

test("the scope of a prepared statement is its own transaction's", async () => {
  const { pools } = database;
  const visible = (ids: readonly number[]) =>
    scopedRead(pools.api, { ...scope, ids }, (trx) =>
      sql<{ ids: number[] }>`select weft.scope_enterprises() as ids, ${1}::int`.execute(trx),
    );
  for (let round = 0; round < 8; round++) {
    expect((await visible([round, 7])).rows[0]?.ids).toEqual([round, 7]);
  }
});

test("a table that changed under the process costs one failed call at most on a connection", async () => {
  const { pools } = database;
  await pools.owner.pg.query(
    `create table weft.widening (n int); grant all on weft.widening to ${pools.apiAll.name}; insert into weft.widening values (1)`,
  );
  const read = () =>
    inScope(pools.apiAll, whole, (trx) =>
      sql<Record<string, number>>`select * from widening where n = ${1}`.execute(trx),
    );
  for (let round = 0; round < 5; round++) expect((await read()).rows).toEqual([{ n: 1 }]);
  await pools.owner.pg.query("alter table weft.widening add column more int default 2");
  await read().catch(() => undefined);
  expect((await read()).rows).toEqual([{ n: 1, more: 2 }]);
});
