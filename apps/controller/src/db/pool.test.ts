import type { Socket } from "node:net";
import { CompiledQuery, type Generated, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withClient } from "./embedded/login.ts";
import { locks } from "./locks.ts";
import { ownWork } from "./one-connection.ts";
import {
  inScope,
  type Pools,
  poolFor,
  type QueryEvent,
  type Scope,
  scopedRead,
  scopedSnapshot,
} from "./pool.ts";
import { type TestDatabase, testDatabase } from "./testing.ts";

interface Sample {
  sample: {
    id: Generated<number>;
    enterprise_id: number;
    creator_id: number;
    name: string;
  };
}

let database: TestDatabase<Sample>;
let pools: Pools<Sample>;

beforeAll(async () => {
  database = await testDatabase();
  pools = database.pools;
  // A table as features make them: FORCE, one policy per role.
  await sql`
    create table weft.sample (
      id bigint generated always as identity primary key,
      enterprise_id bigint not null,
      creator_id bigint not null default weft.user_id(),
      name text not null
    )`.execute(pools.owner.db);
  await pools.owner.pg.query(`
    alter table weft.sample enable row level security;
    alter table weft.sample force row level security;
    create policy scoped on weft.sample to ${pools.api.name}, ${pools.worker.name} using (
      enterprise_id = any ((select weft.scope_enterprises())::bigint[])
      and (not (select weft.own_only()) or creator_id = (select weft.user_id())));
    create policy whole on weft.sample to ${pools.apiAll.name} using (true);`);
}, 60_000);

afterAll(() => database.drop());

beforeEach(async () => {
  await inScope(pools.apiAll, { kind: "all", userId: 1 }, async (trx) => {
    await trx.deleteFrom("sample").execute();
    await trx
      .insertInto("sample")
      .values([
        { enterprise_id: 1, creator_id: 10, name: "a" },
        { enterprise_id: 1, creator_id: 11, name: "b" },
        { enterprise_id: 2, creator_id: 20, name: "c" },
      ])
      .execute();
  });
});

const scope = (
  ids: number[],
  ownOnly = false,
  userId = 10,
): Extract<Scope, { kind: "enterprises" }> => ({
  kind: "enterprises",
  ids,
  userId,
  ownOnly,
});

type Writer = Parameters<Parameters<typeof inScope<Sample, unknown>>[2]>[0];

async function names(pool: "api" | "worker", of: Scope): Promise<string[]> {
  return scopedRead(pools[pool], of, async (trx) => {
    const rows = await trx.selectFrom("sample").select("name").orderBy("name").execute();
    return rows.map((row) => row.name);
  });
}

describe("the scope", () => {
  test("decides which rows are seen", async () => {
    expect(await names("api", scope([1]))).toEqual(["a", "b"]);
    expect(await names("api", scope([1, 2]))).toEqual(["a", "b", "c"]);
    expect(await names("api", scope([]))).toEqual([]);
    expect(await names("api", scope([3]))).toEqual([]);
    expect(await names("worker", scope([2]))).toEqual(["c"]);
  });

  test("of own data is the user's rows in the enterprises", async () => {
    expect(await names("api", scope([1, 2], true))).toEqual(["a"]);
    expect(await names("api", scope([1, 2], true, 20))).toEqual(["c"]);
    expect(await names("api", scope([1], true, 20))).toEqual([]);
    const stolen = inScope(pools.api, scope([1], true), (trx) =>
      trx.insertInto("sample").values({ enterprise_id: 1, creator_id: 11, name: "x" }).execute(),
    );
    await expect(stolen).rejects.toMatchObject({ code: "42501" });
  });

  test("of the whole tree is a role of its own", async () => {
    const all = { kind: "all" } as const;
    const count = await scopedRead(poolFor(pools, all), all, (trx) =>
      trx.selectFrom("sample").select(trx.fn.countAll<number>().as("n")).executeTakeFirstOrThrow(),
    );
    expect(count).toEqual({ n: 3 });
    expect(poolFor(pools, scope([1])).role).toBe("api");
    await expect(inScope(pools.api, all, async () => 1)).rejects.toThrow(/does not run on/);
    await expect(inScope(pools.apiAll, scope([1]), async () => 1)).rejects.toThrow(/does not run/);
    await expect(inScope(pools.gateway, scope([1]), async () => 1)).rejects.toThrow(/does not run/);
  });

  test("decides which rows are changed, for every caller", async () => {
    await inScope(pools.api, scope([2], false, 20), async (trx) => {
      const changed = await trx.updateTable("sample").set({ name: "z" }).executeTakeFirst();
      expect(changed.numUpdatedRows).toBe(1n);
    });
    const moved = inScope(pools.api, scope([2], false, 20), (trx) =>
      trx.updateTable("sample").set({ enterprise_id: 1 }).execute(),
    );
    await expect(moved).rejects.toMatchObject({ code: "42501" });
    expect(await names("api", scope([1, 2]))).toEqual(["a", "b", "z"]);
  });

  test("of a node is the gateway's", async () => {
    const node = { kind: "node", nodeId: 7 } as const;
    const { rows } = await inScope(pools.gateway, node, (trx) =>
      sql<{ id: string }>`select current_setting('weft.node_id') as id`.execute(trx),
    );
    expect(rows).toEqual([{ id: "7" }]);
    // without a grant and a policy of its own the gateway reaches no table
    const reached = inScope(pools.gateway, node, (trx) =>
      trx.selectFrom("sample").selectAll().execute(),
    );
    await expect(reached).rejects.toMatchObject({ code: "42501" });
    await expect(inScope(pools.api, node, async () => 1)).rejects.toThrow(/does not run/);
  });

  test("takes integers only", async () => {
    for (const id of [1.5, Number.NaN, "1}'; drop table sample; --" as unknown as number]) {
      await expect(names("api", scope([id]))).rejects.toThrow(/is not an id/);
      await expect(names("api", scope([1], false, id))).rejects.toThrow(/is not an id/);
    }
  });

  test("ends with the transaction: the connection's next user has none", async () => {
    const pids = new Set<unknown>();
    for (let round = 0; round < 16; round++) {
      // a transaction that reads is still committing when the next statement is sent
      const run = round % 2 === 0 ? inScope : scopedRead;
      const { rows } = await run(pools.api, scope([1], true), (trx) =>
        sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx),
      );
      pids.add(rows[0]?.pid);
      const free = await sql<Record<string, unknown>>`
        select pg_backend_pid() as pid, weft.scope_enterprises() as ids, weft.user_id() as user_id,
               weft.own_only() as own, (select count(*) from sample) as n`.execute(pools.api.db);
      expect(free.rows[0]).toMatchObject({ ids: [], user_id: null, own: false, n: 0 });
      expect(pids.has(free.rows[0]?.pid)).toBe(true);
    }
  });

  test("is separate for concurrent transactions", async () => {
    const seen = await Promise.all(
      Array.from({ length: 40 }, (_, index) => names("api", scope([(index % 3) + 1]))),
    );
    expect(seen).toEqual(seen.map((_, index) => [["a", "b"], ["c"], []][index % 3]));
  });
});

describe("a scoped transaction", () => {
  test("is rolled back when fn throws, and the error comes through", async () => {
    const error = new Error("no");
    const failed = inScope(pools.api, scope([1]), async (trx) => {
      await trx.deleteFrom("sample").execute();
      throw error;
    });
    await expect(failed).rejects.toBe(error);
    expect(await names("api", scope([1]))).toEqual(["a", "b"]);
  });

  test("is rolled back when a statement fails", async () => {
    const failed = inScope(pools.api, scope([1]), async (trx) => {
      await trx.deleteFrom("sample").execute();
      await sql`select 1 / 0`.execute(trx);
    });
    await expect(failed).rejects.toMatchObject({ code: "22012" });
    expect(await names("api", scope([1]))).toEqual(["a", "b"]);
  });

  test("never reports success when fn swallowed an error", async () => {
    const failed = inScope(pools.api, scope([1]), async (trx) => {
      await trx.deleteFrom("sample").execute();
      await sql`select 1 / 0`.execute(trx).catch(() => undefined);
      return "done";
    });
    await expect(failed).rejects.toThrow(/rolled back instead of committed/);
    expect(await names("api", scope([1]))).toEqual(["a", "b"]);
  });

  test("fails when the commit fails", async () => {
    await pools.owner.pg.query(`create table weft.later (n int unique deferrable initially deferred);
      grant all on weft.later to ${pools.api.name}`);
    const failed = inScope(pools.api, scope([1]), (trx) =>
      sql`insert into later values (1), (1)`.execute(trx),
    );
    await expect(failed).rejects.toMatchObject({ code: "23505" });
  });

  test("sends statements side by side without waiting, and is answered in their order", async () => {
    const holder = await pools.owner.pg.connect();
    await holder.query(`select pg_advisory_lock(${locks.seals.join()})`);
    let sent = 0;
    const answers: number[] = [];
    const noted = (trx: Parameters<Parameters<typeof inScope<Sample, void>>[2]>[0], n: number) =>
      sql<{
        n: number;
      }>`select ${n}::int as n ${n === 1 ? sql.raw(`from pg_advisory_xact_lock(${locks.seals.join()})`) : sql``}`
        .execute(trx)
        .then(({ rows }) => answers.push(rows[0]?.n ?? 0));
    pools.api.pg.once("acquire", (client) => {
      const plain = client.query.bind(client) as (...all: unknown[]) => unknown;
      client.query = ((...all: unknown[]) => {
        if (/^select/.test(String(all[0]))) sent += 1;
        return plain(...all);
      }) as typeof client.query;
    });
    const work = inScope(pools.api, scope([1]), async (trx) => {
      await Promise.all([noted(trx, 1), noted(trx, 2), noted(trx, 3)]);
    });
    try {
      // The first is not answered before the lock is released.
      await expect.poll(() => sent, { timeout: 30_000 }).toBe(3);
      expect(answers).toEqual([]);
    } finally {
      await holder.query(`select pg_advisory_unlock(${locks.seals.join()})`);
      holder.release();
    }
    await work;
    expect(answers).toEqual([1, 2, 3]);
  });

  test("sends in one packet what waits for nothing: a transaction is as many as its answers that are waited for", async () => {
    const packets: number[] = [];
    const names = async (trx: Parameters<Parameters<typeof inScope<Sample, void>>[2]>[0]) => {
      await trx.selectFrom("sample").select("name").execute();
    };
    const watch = () =>
      pools.apiAll.pg.once("acquire", (client) => {
        packets.length = 0;
        const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
        countWrites(stream, () => packets.push(1));
      });
    const all = { kind: "all", userId: 1 } as const;
    const insert = CompiledQuery.raw("insert into sample (enterprise_id, name) values (1, 'y')");
    watch();
    const write = async (trx: Parameters<typeof names>[0]) => {
      await names(trx);
      await Promise.all([names(trx), names(trx), names(trx)]);
    };
    await inScope(pools.apiAll, all, write, { atCommit: () => [insert, insert] });
    // BEGIN, the first statement, the three others, and COMMIT with what goes out with it.
    expect(packets).toHaveLength(4);
    watch();
    await scopedRead(pools.apiAll, all, write);
    // BEGIN goes with the first statement, and COMMIT is not waited for.
    await expect.poll(() => packets.length).toBe(3);
  });

  test("that reads first sends BEGIN with its reads, and anything else once BEGIN was answered", async () => {
    const sent: string[] = [];
    const packets: number[] = [];
    pools.apiAll.pg.once("acquire", (client) => {
      const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
      countWrites(stream, () => packets.push(1));
      const plain = client.query.bind(client) as (...all: unknown[]) => unknown;
      client.query = ((...all: unknown[]) => {
        sent.push(String(all[0]).slice(0, 6));
        return plain(...all);
      }) as typeof client.query;
    });
    const all = { kind: "all", userId: 1 } as const;
    const rename = (trx: Writer) =>
      trx.updateTable("sample").set({ name: "x" }).where("name", "=", "a").execute();
    const work = async (trx: Writer) => {
      const locked = trx.selectFrom("sample").select("id").forNoKeyUpdate().execute();
      await Promise.all([locked, trx.selectFrom("sample").select("name").execute()]);
      await rename(trx);
    };
    await inScope(pools.apiAll, all, work, { readsFirst: true });
    expect(sent).toEqual(["begin ", "select", "select", "update", "commit"]);
    // BEGIN with both reads, the update, COMMIT.
    expect(packets).toHaveLength(3);
    expect(await names("api", scope([1]))).toEqual(["b", "x"]);
    // A read behind what waits is not sent before it.
    sent.length = 0;
    packets.length = 0;
    await inScope(
      pools.apiAll,
      all,
      (trx) => Promise.all([rename(trx), trx.selectFrom("sample").select("id").execute()]),
      { readsFirst: true },
    );
    expect(sent).toEqual(["begin ", "update", "select", "commit"]);
    expect(packets).toHaveLength(3);
  });

  test.each([
    { what: "is refused behind BEGIN", check: "select 1 / 0", code: "22012" },
    // PostgreSQL parses the whole message first: there is no transaction at all.
    { what: "is not carried out", check: "select from from", code: "42601" },
  ])("that reads first writes nothing where its begin $what", async ({ check, code }) => {
    const insert = "insert into sample (enterprise_id, creator_id, name) values (1, 10, 'z')";
    const write = (trx: Writer) => trx.executeQuery(CompiledQuery.raw(insert));
    const read = (trx: Writer) => trx.selectFrom("sample").select("id").execute();
    const works: ((trx: Writer) => Promise<unknown>)[] = [
      write,
      (trx) => Promise.all([read(trx), write(trx)]),
      async (trx) => {
        await read(trx).catch(() => undefined);
        await write(trx);
      },
      async () => "no statement",
      async (trx) => {
        await read(trx).catch(() => undefined);
      },
    ];
    for (const work of works) {
      const remembered = { check, isCurrent: true };
      const limits = {
        remembered,
        readsFirst: true,
        atCommit: () => [CompiledQuery.raw(insert)],
      };
      const refused = inScope(pools.apiAll, { kind: "all", userId: 1 }, work, limits);
      await expect(refused).rejects.toMatchObject({ code });
      expect(remembered.isCurrent).toBe(false);
      expect(await names("api", scope([1]))).toEqual(["a", "b"]);
    }
  });

  test("takes no statement behind its end", async () => {
    let late: Promise<unknown> = Promise.resolve();
    const failed = inScope(pools.apiAll, { kind: "all" }, async (trx) => {
      const waits = trx.selectFrom("sample").select("id").execute();
      late = waits.then(() => trx.deleteFrom("sample").execute());
      late.catch(() => undefined);
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    await expect(late).rejects.toThrow();
    expect(await names("api", scope([1]))).toEqual(["a", "b"]);
  });

  test("sends a batch together with COMMIT: all of it is stored, or nothing", async () => {
    const write = (last: string) =>
      inScope(
        pools.apiAll,
        { kind: "all", userId: 1 },
        async (trx) => {
          await trx.updateTable("sample").set({ name: "x" }).where("name", "=", "a").execute();
          return trx;
        },
        { atCommit: () => [CompiledQuery.raw(last)] },
      );
    await expect(
      write("insert into sample (enterprise_id, name) values (1, null)"),
    ).rejects.toMatchObject({
      code: "23502",
    });
    expect(await names("api", scope([1]))).toEqual(["a", "b"]);
    await write("insert into sample (enterprise_id, name) values (1, 'y')");
    expect(await names("api", scope([1]))).toEqual(["b", "x", "y"]);
  });

  test("on remembered access begins only while that holds, also where it makes no statement", async () => {
    const of = (check: string) => ({ remembered: { check, isCurrent: false } });
    const holds = of("select 1");
    expect(await scopedRead(pools.api, scope([1]), async () => "read", holds)).toBe("read");
    expect(holds.remembered.isCurrent).toBe(true);
    for (const transact of [inScope, scopedRead]) {
      const ended = of("select 1 / 0");
      ended.remembered.isCurrent = true;
      const refused = transact(pools.api, scope([1]), async () => "done", ended);
      await expect(refused).rejects.toMatchObject({ code: "22012" });
      expect(ended.remembered.isCurrent).toBe(false);
    }
    // The connections go on.
    expect(await names("api", scope([1]))).toEqual(["a", "b"]);
  });

  test("that reads cannot write", async () => {
    const write = scopedRead(pools.api, scope([1]), (trx) => trx.deleteFrom("sample").execute());
    await expect(write).rejects.toMatchObject({ code: "25006" });
  });

  test("of a snapshot sees one moment", async () => {
    const counts = await scopedSnapshot(pools.worker, scope([1]), async (trx) => {
      const count = () => trx.selectFrom("sample").select("id").execute();
      const before = (await count()).length;
      await ownWork(() =>
        inScope(pools.api, scope([1]), (other) => other.deleteFrom("sample").execute()),
      );
      return [before, (await count()).length];
    });
    expect(counts).toEqual([2, 2]);
    expect(await names("worker", scope([1]))).toEqual([]);
  });

  test("survives a lost connection as an error, and the next gets another", async () => {
    for (const pool of [pools.api, pools.worker]) {
      const lost = inScope(pool, scope([1]), async (trx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
        await kill(rows[0]?.pid ?? 0);
        await trx.selectFrom("sample").select("id").execute();
      });
      await expect(lost).rejects.toThrow(/terminat|connection error/);
    }
    expect(await names("api", scope([1]))).toEqual(["a", "b"]);
    expect(await names("worker", scope([1]))).toEqual(["a", "b"]);
  });

  test("cannot run past its time", async () => {
    const { rows } = await sql<{ statement: string; lock: string }>`
      select current_setting('statement_timeout') as statement,
             current_setting('lock_timeout') as lock`.execute(pools.api.db);
    expect(rows).toEqual([{ statement: "30s", lock: "5s" }]);
  });
});

/** Notes each write to the system, until the socket is watched again. */
function countWrites(stream: Socket, written: () => void): void {
  const { _write, _writev } = Object.getPrototypeOf(stream) as Socket;
  Object.assign(stream, {
    _write(...all: Parameters<Socket["_write"]>) {
      written();
      _write.apply(stream, all);
    },
    _writev(...all: Parameters<NonNullable<Socket["_writev"]>>) {
      written();
      _writev?.apply(stream, all);
    },
  });
}

/** Ends a server process as an administrator would. */
async function kill(pid: number): Promise<void> {
  await withClient(database.url, (client) =>
    client.query("select pg_terminate_backend($1)", [pid]),
  );
}

describe("values", () => {
  test("come in the types the code works with", async () => {
    const { rows } = await sql<Record<string, unknown>>`
      select 9007199254740991::bigint as id, array[1, null, 3]::bigint[] as ids,
             12.30::numeric as amount, '2026-01-02T03:04:05.678Z'::timestamptz as at,
             '2026-01-02'::date as day, array['2026-01-02']::date[] as days,
             '{"a": [1]}'::jsonb as json, count(*) as n`.execute(pools.api.db);
    expect(rows[0]).toEqual({
      id: 9007199254740991,
      ids: [1, null, 3],
      amount: "12.30",
      at: new Date("2026-01-02T03:04:05.678Z"),
      day: "2026-01-02",
      days: ["2026-01-02"],
      json: { a: [1] },
      n: 1,
    });
  });

  test("that no number holds exactly are an error", async () => {
    const large = sql`select 9007199254740993::bigint as id`.execute(pools.api.db);
    await expect(large).rejects.toThrow(/not a safe integer/);
    expect(await names("api", scope([1]))).toEqual(["a", "b"]);
  });
});

describe("onQuery", () => {
  test("reports each statement once, with role and kind, until undone", async () => {
    const events: QueryEvent[] = [];
    const undo = pools.onQuery((event) => events.push(event));
    await names("api", scope([1]));
    await inScope(pools.worker, scope([1]), async (trx) => {
      await sql`select 1 / 0`.execute(trx);
    }).catch(() => undefined);
    await pools.owner.db.selectFrom("sample").select("id").execute();
    // The answer of a reader's COMMIT is not waited for: it may come after what others did.
    await expect.poll(() => events.length).toBe(7);
    undo();
    await names("api", scope([1]));
    const reported = (wanted: string) =>
      events
        .filter(({ role }) => role === wanted)
        .map(({ kind, error }) => [kind, error !== undefined]);
    expect(reported("api")).toEqual([
      ["begin", false],
      ["query", false],
      ["commit", false],
    ]);
    expect(reported("worker")).toEqual([
      ["begin", false],
      ["query", true],
      ["rollback", false],
    ]);
    expect(reported("owner")).toEqual([["query", false]]);
    const read = events.find(({ role, kind }) => role === "api" && kind === "query");
    expect(read?.sql).toMatch(/^select "name" from "sample"/);
    expect(read?.durationMs).toBeGreaterThan(0);
  });
});
