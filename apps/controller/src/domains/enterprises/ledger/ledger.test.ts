import {
  dealRecordList,
  enterpriseCharge,
  rechargeRecordList,
} from "@weft/contract/domains/enterprises/ledger.ts";
import { sql, type Transaction } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { type Answer, type TestApi, testApi } from "../../../../test/api.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";
import { charge as chargeFor, post } from "./post.ts";
import { orderNo } from "./rules.ts";

let api: TestApi;
let admin: string;

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
}, 60_000);
afterAll(() => api.close());

type Money = Readonly<Record<"balance" | "creditLimit", number>>;
let made = 0;
async function customer(fields: object = {}, token = admin, parent = 1): Promise<number> {
  made += 1;
  const ids = { groupid: parent, cpeId: 0, popId: 0 };
  const draft = wireDraft("enterprise", "valid", ids, { name: `客户-${made}`, ...fields });
  return newIdOf(await api.post("/customer/enterprise/add", draft, token));
}
const recharge = (groupid: number, credit: unknown, token = admin, more: object = {}) =>
  api.post(enterpriseCharge.path, { groupid, credit, ...more }, token);
const rowOf = async (groupid: number, token = admin) =>
  (await api.get("/customer/enterprise/getByGroupId", { groupid }, token)).data as Money;
const balanceOf = async (groupid: number) => (await rowOf(groupid)).balance;
const list = (path: string, query: object, token = admin) => api.get(path, query, token);

/** The ledger as a job uses it: over the whole tree, in a transaction of its own. */
const inLedger = <T>(work: (ctx: Context) => Promise<T>): Promise<T> =>
  inScope(api.database.pools.apiAll, { kind: "all", userId: 1 }, (db) =>
    work({
      db: db as Transaction<Database>,
      caller: { userId: 1, requestId: `job-${Math.random()}`, scope: { kind: "all" } },
    } as unknown as Context),
  );
const spend = (enterpriseId: number, amount: number, requestKey: string) =>
  inLedger((ctx) => chargeFor(ctx, { enterpriseId, amount, requestKey, target: "CPE 月租" }));

/** What the entries say, whatever the postings carry. */
async function sums(enterpriseId: number) {
  const { rows } = await sql<{ account: string; sum: string }>`
    select account, sum(amount)::text as sum from entry where enterprise_id = ${enterpriseId}
    group by account order by account`.execute(api.database.pools.owner.db);
  return Object.fromEntries(rows.map(({ account, sum }) => [account, Number(sum)]));
}

describe("endpoints:enterprise.charge recharge", () => {
  test("B-7.2-03: 100 and 50 make 150, and a recharge record each", async () => {
    const id = await customer();
    expect(await recharge(id, 100)).toMatchObject({ code: 0, data: { balance: 100 } });
    expect(await recharge(id, "50")).toMatchObject({ code: 0, data: { balance: 150 } });
    expect(await balanceOf(id)).toBe(150);
    const records = await list(rechargeRecordList.path, { groupid: id });
    expect(records).toMatchObject({
      code: 0,
      count: 2,
      data: [
        { groupid: id, credit: 50, balance: 150, operator: "admin" },
        { groupid: id, credit: 100, balance: 100 },
      ],
    });
    expect(await sums(id)).toEqual({ credit: 15_000, received: -15_000 });
  });

  test.each([0, -5, "abc", "1e999", "0.001", "", "1,000", "NaN"])(
    "B-7.2-04: %s is refused and nothing is posted",
    async (credit) => {
      const id = await customer();
      expect(await recharge(id, credit)).toMatchObject({ code: 400, issues: [{ path: "credit" }] });
      expect(await balanceOf(id)).toBe(0);
      expect((await list(rechargeRecordList.path, { groupid: id })).count).toBe(0);
    },
  );

  test("cents stay cents: 8.2 three times is 24.6", async () => {
    const id = await customer();
    for (const _ of [1, 2, 3]) await recharge(id, "8.2");
    expect(await balanceOf(id)).toBe(24.6);
    expect((await sums(id)).credit).toBe(2_460);
  });

  test("a double click posts once; the same key for another amount is refused", async () => {
    const id = await customer();
    const requestKey = "click-0001-abcdef";
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => recharge(id, 30, admin, { requestKey })),
    );
    expect(answers.map(({ code }) => code)).toEqual(Array.from({ length: 20 }, () => 0));
    const repeated = answers.filter(({ data }) => (data as { repeated: number }).repeated === 1);
    expect(repeated.length).toBe(19);
    expect(new Set(answers.map(({ data }) => (data as { orderNo: string }).orderNo)).size).toBe(1);
    expect(await balanceOf(id)).toBe(30);
    expect(await recharge(id, 31, admin, { requestKey })).toMatchObject({
      code: 400,
      issues: [{ path: "requestKey", rule: "taken" }],
    });
    expect(await balanceOf(id)).toBe(30);
  });
});

describe("whose book it is", () => {
  test("an agent recharges its customers and never itself; the books stay apart", async () => {
    const agent = await customer({ isAgent: 1 });
    const token = await api.userToken({ enterpriseId: agent, dataScope: 3 });
    const shop = await customer({}, token, agent);
    expect(await recharge(agent, 500)).toMatchObject({ code: 0 });
    expect(await recharge(agent, 500, token)).toMatchObject({ code: 422 });
    expect(await recharge(shop, 20, token)).toMatchObject({ code: 0, data: { balance: 20 } });
    expect(await balanceOf(agent)).toBe(500);
    const { rows } = await sql<{ book: number; sum: string }>`
      select book_id as book, sum(change)::text as sum from posting
      where enterprise_id = any(${[agent, shop]}::bigint[]) group by 1 order by 1`.execute(
      api.database.pools.owner.db,
    );
    expect(rows).toEqual([
      { book: 1, sum: "50000" },
      { book: agent, sum: "2000" },
    ]);
    for (const foreign of [await customer(), 987_654]) {
      expect(await recharge(foreign, 5, token)).toMatchObject({
        code: 400,
        issues: [{ path: "groupid", rule: "unknown" }],
      });
    }
  });

  test("callers cannot raise their own limit or extend their own contract", async () => {
    const agent = await customer({ isAgent: 1 });
    const token = await api.userToken({ enterpriseId: agent, dataScope: 3 });
    const own = await api.get("/customer/enterprise/getByGroupId", { groupid: agent }, token);
    const { name } = own.data as { name: string };
    const ids = { groupid: 1, cpeId: 0, popId: 0 };
    for (const more of [{ creditLimit: 99 }, { endTime: "2099-01-01 00:00:00" }, { cpeLimit: 9 }]) {
      const fields = wireDraft("enterprise", "valid", ids, {
        name,
        parentId: "",
        isAgent: 1,
        ...more,
      });
      const draft = { ...fields, groupid: agent };
      expect(await api.post("/customer/enterprise/edit", draft, token)).toMatchObject({
        code: 400,
        issues: [{ path: Object.keys(more)[0], rule: "fromAbove" }],
      });
    }
  });

  test("who moves takes the balance along, and both books stay balanced", async () => {
    const agent = await customer({ isAgent: 1 });
    const shop = await customer({ name: "搬家" });
    await recharge(shop, 70);
    const ids = { groupid: agent, cpeId: 0, popId: 0 };
    const draft = { ...wireDraft("enterprise", "valid", ids, { name: "搬家" }), groupid: shop };
    expect(await api.post("/customer/enterprise/edit", draft, admin)).toMatchObject({ code: 0 });
    expect(await balanceOf(shop)).toBe(70);
    const { rows } = await sql<{ book_id: number; balance: number }>`
      select distinct on (book_id) book_id, balance from posting where enterprise_id = ${shop}
      order by book_id, number desc`.execute(api.database.pools.owner.db);
    expect(rows).toEqual([
      { book_id: 1, balance: 0 },
      { book_id: agent, balance: 7_000 },
    ]);
    expect(await sums(shop)).toEqual({ carried: 0, credit: 7_000, received: -7_000 });
    const posted = await list(dealRecordList.path, { groupid: shop });
    expect(posted).toMatchObject({ count: 2, data: [{ type: 4, amount: 70 }, { amount: -70 }] });
  });
});

describe("B-1-20 endpoints:dealRecord.list endpoints:rechargeRecord.list records", () => {
  test("are listed, searched by enterprise, kind and time, paged, and cannot be edited", async () => {
    const id = await customer();
    await recharge(id, 100, admin, { remark: "首充" });
    await spend(id, 1_050, "month-1");
    await spend(id, 950, "month-2");
    const posted = await list(dealRecordList.path, { groupid: id });
    expect(posted).toMatchObject({
      code: 0,
      count: 2,
      data: [
        { type: 2, amount: -9.5, balance: 80, target: "CPE 月租" },
        { type: 2, amount: -10.5, balance: 89.5 },
      ],
    });
    expect((await list(dealRecordList.path, { groupid: id, type: 3 })).count).toBe(0);
    expect(
      (await list(dealRecordList.path, { groupid: id, limit: 1, page: 2 })).data,
    ).toMatchObject([{ amount: -10.5 }]);
    const past = { startTime: "2020-01-01 00:00:00", endTime: "2020-01-02 00:00:00" };
    expect((await list(rechargeRecordList.path, { groupid: id, ...past })).count).toBe(0);
    const since = { groupid: id, startTime: past.startTime };
    expect((await list(rechargeRecordList.path, since)).data).toMatchObject([{ remark: "首充" }]);
    for (const name of ["dealRecord", "rechargeRecord"]) {
      for (const verb of ["add", "edit", "remove"]) {
        const answer = await api.post(`/customer/${name}/${verb}`, { id: 1, ids: 1 }, admin);
        expect(answer.code, `${name}/${verb}`).not.toBe(0);
      }
    }
    const { posting_id } = await sql<{ posting_id: number }>`
      select max(posting_id) as posting_id from entry`
      .execute(api.database.pools.owner.db)
      .then(({ rows }) => rows[0] as { posting_id: number });
    expect((posted.data as { orderNo: string }[])[0]?.orderNo).toBe(orderNo(2, posting_id));
  });

  test("show those of the caller's own enterprise only", async () => {
    const [one, other] = [await customer(), await customer()];
    await recharge(one, 10);
    await recharge(other, 10);
    const token = await api.userToken({ enterpriseId: one, dataScope: 1 });
    const seen = (await list(rechargeRecordList.path, {}, token)).data as { groupid: number }[];
    expect(seen.map(({ groupid }) => groupid)).toEqual([one]);
    expect((await list(rechargeRecordList.path, { groupid: other }, token)).count).toBe(0);
  });
});

describe("the limit", () => {
  test("no charge leaves a balance below it, in code and in the database alike", async () => {
    const id = await customer({ creditLimit: 5 });
    await recharge(id, 10);
    await spend(id, 1_500, "to-the-limit");
    expect(await balanceOf(id)).toBe(-5);
    await expect(spend(id, 1, "beyond")).rejects.toMatchObject({ code: "notAllowedNow" });
    await expect(raw(id, { change: -1, balance: -501, entries: [-1, 1] })).rejects.toMatchObject({
      constraint: "posting_limit",
    });
    expect(await balanceOf(id)).toBe(-5);
  });

  test("thousands of concurrent charges keep the sums, and stop at the limit", async () => {
    const [id, second] = [await customer({ creditLimit: 1 }), await customer()];
    await recharge(id, 1_000);
    await recharge(second, 1_000);
    const done = new Map([
      [id, 0],
      [second, 0],
    ]);
    let refused = 0;
    const work = Array.from({ length: 3_000 }, (_, at) => at);
    const worker = async (): Promise<void> => {
      for (let at = work.shift(); at !== undefined; at = work.shift()) {
        // Every tenth asks twice with one key; every fifth is of the second enterprise.
        const target = at % 5 === 0 ? second : id;
        const key = `load-${at % 10 === 9 ? at - 1 : at}`;
        const amount = target === id ? 50 : 1;
        await spend(target, amount, key).then(
          (posted) => {
            if (!posted.repeated) done.set(target, (done.get(target) ?? 0) + 1);
          },
          (error: { code?: string }) => {
            if (error.code !== "notAllowedNow") throw error;
            refused += 1;
          },
        );
      }
    };
    await Promise.all(Array.from({ length: 12 }, worker));
    // 2002 charges of 0.50 fit into 1001.00; those of the second all fit.
    expect([...done.values()]).toEqual([2_002, 600]);
    expect(refused).toBeGreaterThan(90);
    for (const one of [id, second]) {
      const { credit = 0, received = 0, income = 0 } = await sums(one);
      expect(credit + received + income).toBe(0);
      expect(await balanceOf(one)).toBe(credit / 100);
      const { rows } = await sql<{ gaps: number; wrong: number; n: number }>`
        select count(*) as n, count(*) filter (where number <> place) as gaps,
          count(*) filter (where balance <> so_far) as wrong
        from (select number, balance, row_number() over (order by number) as place,
          sum(change) over (order by number) as so_far
          from posting where enterprise_id = ${one}) p`.execute(api.database.pools.owner.db);
      expect(rows[0]).toMatchObject({ gaps: 0, wrong: 0 });
    }
    expect(await balanceOf(id)).toBe(-1);
  }, 120_000);

  test("concurrent recharges over the wire add up", async () => {
    const id = await customer();
    const answers: Answer[] = await Promise.all(
      Array.from({ length: 200 }, (_, at) => recharge(id, (at % 7) + 0.25)),
    );
    const wanted = answers.reduce(
      (sum, { code }, at) => sum + (code === 0 ? (at % 7) + 0.25 : 0),
      0,
    );
    expect(answers.filter(({ code }) => code === 0).length).toBe(200);
    expect(await balanceOf(id)).toBe(wanted);
  });
});

interface Raw {
  readonly change: number;
  readonly balance: number;
  readonly entries: readonly number[];
  readonly number?: number;
  readonly claimed?: number;
}

/** Writes a posting past all code of ours, as the role of the whole tree. */
const raw = (enterpriseId: number, { change, balance, entries, number, claimed }: Raw) =>
  inLedger(async ({ db }) => {
    const next =
      number ??
      sql`(select coalesce(max(number), 0) + 1 from posting
      where enterprise_id = ${enterpriseId})`;
    const { rows } = await sql<{ id: number }>`
      insert into posting (enterprise_id, book_id, number, kind, request_key, change, balance,
        entries, created_by)
      values (${enterpriseId}, 1, ${next}, 2, ${`raw-${Math.random()}`}, ${change}, ${balance},
        ${claimed ?? entries.length}, 1) returning id`.execute(db);
    for (const [at, amount] of entries.entries()) {
      await sql`insert into entry (enterprise_id, posting_id, account, amount)
        values (${enterpriseId}, ${rows[0]?.id}, ${at === 0 ? "credit" : "income"}, ${amount})`.execute(
        db,
      );
    }
    return rows[0]?.id ?? 0;
  });

describe("the database itself refuses", () => {
  const limit = { creditLimit: 1_000 };
  test.each([
    ["sides that do not add up", { change: -5, balance: -5, entries: [-5, 4] }, "posting_balanced"],
    ["one side", { change: -5, balance: -5, entries: [-5], claimed: 2 }, "posting_balanced"],
    ["no sides", { change: -5, balance: -5, entries: [], claimed: 2 }, "posting_balanced"],
    ["another sum than it says", { change: -5, balance: -5, entries: [-4, 4] }, "posting_balanced"],
    [
      "a balance that does not follow",
      { change: -5, balance: -4, entries: [-5, 5] },
      "posting_follows",
    ],
    [
      "a gap in the numbers",
      { change: -5, balance: -5, entries: [-5, 5], number: 7 },
      "posting_follows",
    ],
  ] as const)("a posting with %s", async (_, posting, constraint) => {
    const id = await customer(limit);
    await expect(raw(id, posting)).rejects.toMatchObject({ constraint });
    expect(await balanceOf(id)).toBe(0);
  });

  test("a side that comes later, even a pair that adds up to zero", async () => {
    const id = await customer(limit);
    const posting = await raw(id, { change: -5, balance: -5, entries: [-5, 5] });
    const later = inLedger(({ db }) =>
      sql`insert into entry (enterprise_id, posting_id, account, amount)
        values (${id}, ${posting}, 'credit', 100), (${id}, ${posting}, 'income', -100)`.execute(db),
    );
    await expect(later).rejects.toMatchObject({ constraint: "posting_balanced" });
    expect(await sums(id)).toEqual({ credit: -5, income: 5 });
  });

  test.each(["api", "apiAll", "worker", "owner"] as const)(
    "changes and removals, for the role %s",
    async (role) => {
      const { pg } = api.database.pools[role];
      for (const table of ["posting", "entry"]) {
        for (const statement of [
          `update weft.${table} set enterprise_id = enterprise_id`,
          `delete from weft.${table}`,
          `truncate weft.${table} cascade`,
        ]) {
          await expect(pg.query(statement), statement).rejects.toMatchObject({ code: "42501" });
        }
      }
    },
  );

  test("a posting in a book above the scope", async () => {
    const agent = await customer({ isAgent: 1 });
    const scope = { kind: "enterprises", ids: [agent], userId: 1, ownOnly: false } as const;
    const attempt = inScope(api.database.pools.api, scope, (db) =>
      post(
        {
          db: db as Transaction<Database>,
          caller: { userId: 1, requestId: "own-book", scope },
        } as unknown as Context,
        { enterpriseId: agent, kind: 1, change: 100, requestKey: "own-book-1" },
      ),
    );
    await expect(attempt).rejects.toMatchObject({ code: "42501" });
    expect(await balanceOf(agent)).toBe(0);
  });

  test("the removal of an enterprise that has records", async () => {
    const id = await customer();
    await recharge(id, 1);
    expect(await api.post("/customer/enterprise/remove", { ids: id }, admin)).toMatchObject({
      code: 409,
      msg: "仍被使用：交易记录，先删除或解除引用",
    });
  });
});
