import { sql, type Transaction } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { type TestDatabase, testDatabase } from "#db/testing.ts";
import { rehearse, tryPart } from "./savepoint.ts";

type Trx = Transaction<Database>;

let database: TestDatabase<Database>;
const owner = () => database.pools.owner.db;
beforeAll(async () => {
  database = await testDatabase<Database>();
  await sql`create table weft.part (n int primary key)`.execute(owner());
  await sql`grant select, insert on weft.part to public`.execute(owner());
}, 60_000);
beforeEach(() => sql`truncate weft.part`.execute(owner()));
afterAll(() => database.drop());

const transaction = <T>(work: (trx: Trx) => Promise<T>): Promise<T> =>
  inScope(database.pools.apiAll, { kind: "all" }, work);
const add = (trx: Trx, n: number) => sql`insert into weft.part values (${n})`.execute(trx);
const kept = async (): Promise<number[]> =>
  (await sql<{ n: number }>`select n from weft.part order by n`.execute(owner())).rows.map(
    ({ n }) => n,
  );
test("of a part that fails nothing stays, and the others do", async () => {
  const outcomes = await transaction(async (trx) => {
    const tried: unknown[] = [];
    for (const n of [1, 1, 2]) {
      const part = async () => {
        await add(trx, tried.length + 10);
        await add(trx, n);
        return n;
      };
      tried.push(await tryPart(trx, part, (error) => (error as { code: string }).code));
    }
    return tried;
  });
  expect(outcomes).toEqual([1, "23505", 2]);
  expect(await kept()).toEqual([1, 2, 10, 12]);
});

test("what is rehearsed leaves nothing, also around parts that fail", async () => {
  const outcome = await transaction((trx) =>
    rehearse(trx, async () => {
      await tryPart(
        trx,
        () => add(trx, 1),
        () => null,
      );
      await tryPart(
        trx,
        () => add(trx, 1),
        () => null,
      );
      return (await sql<{ n: number }>`select n from weft.part`.execute(trx)).rows;
    }),
  );
  expect(outcome).toEqual([{ n: 1 }]);
  expect(await kept()).toEqual([]);
});

test("a failure that is about more than the part ends the transaction", async () => {
  const failed = transaction(async (trx) => {
    await add(trx, 1);
    await tryPart(
      trx,
      () => add(trx, 1),
      (error) => {
        throw error;
      },
    );
  });
  await expect(failed).rejects.toMatchObject({ code: "23505" });
  expect(await kept()).toEqual([]);
});

test.each([
  [
    "made",
    (trx: Trx) =>
      tryPart(
        trx,
        () => add(trx, 1),
        () => null,
      ),
  ],
  [
    "failed",
    (trx: Trx) =>
      tryPart(
        trx,
        () => Promise.reject(new Error("no")),
        () => null,
      ),
  ],
  ["rehearsed", (trx: Trx) => rehearse(trx, () => add(trx, 1))],
])("the savepoint of a part that was %s is released", async (_, part) => {
  let outcome = "";
  const transactionOfIt = transaction(async (trx) => {
    await part(trx);
    outcome = await sql`release savepoint part`.execute(trx).then(
      () => "was open",
      ({ code }: { code: string }) => code,
    );
  });
  // The statement that found none aborted it.
  await expect(transactionOfIt).rejects.toThrow();
  // invalid_savepoint_specification
  expect(outcome).toBe("3B001");
});
