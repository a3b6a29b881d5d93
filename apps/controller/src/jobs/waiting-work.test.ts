import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { enqueueMessages, type OutboxMessage } from "#outbox/enqueue.ts";
import { type TestApi, testApi } from "../../test/api.ts";
import { takeIn } from "./outbox-taking.ts";
import { startWorker, type Worker } from "./start.ts";
import { findWaitingWork } from "./waiting-work.ts";

const patience = { timeout: 60_000 };
let api: TestApi;
let worker: Worker;
let stop: () => void;
/** How often the worker asked for all of it, and for each by itself. */
const asked = { all: 0, seals: 0, messages: 0, events: 0, batches: 0 };
const texts: readonly (readonly [keyof typeof asked, RegExp])[] = [
  ["all", /as seals,/],
  ["seals", /select w\.audit_id from audit_waiting/],
  ["messages", /update outbox set state = 'failed', ended_at = now\(\), error = 'over: '/],
  ["events", /delete from webhook_event/],
  ["batches", /from batch where ended_at is null\s+order by/],
];

beforeAll(async () => {
  api = await testApi();
  const { pools } = api.database;
  stop = pools.onQuery(({ role, kind, sql: text }) => {
    if (role !== "worker" || kind !== "query") return;
    for (const [name, pattern] of texts) if (pattern.test(text)) asked[name] += 1;
  });
  worker = await startWorker({
    pools,
    vault: api.app.weft.vault,
    logger: pino({ level: "silent" }),
    // Within this test each has one turn by itself, at its start.
    lookedForMs: 3_600_000,
  });
}, 60_000);
afterAll(async () => {
  stop();
  await worker.close();
  await api.close();
});

const waiting = () => findWaitingWork(api.database.pools.worker.db);
const none = { seals: false, servers: false, hooks: false, events: false, batches: false };

test("an idle worker queries seals, messages, events and bulk jobs by one statement", async () => {
  await expect.poll(waiting, patience).toEqual(none);
  await expect.poll(() => asked.all, patience).toBeGreaterThan(2);
  const before = { ...asked };
  await expect.poll(() => asked.all, patience).toBeGreaterThan(before.all + 4);
  expect({ ...asked, all: 0 }).toEqual({ ...before, all: 0 });
});

const put = (...statements: readonly ReturnType<typeof sql>[]) =>
  inScope(api.database.pools.owner, { kind: "all" }, async (trx) => {
    for (const statement of statements) await statement.execute(trx);
  });
const post = (message: Pick<OutboxMessage, "channel" | "recipient">) =>
  inScope(api.database.pools.apiAll, { kind: "all" }, (trx) =>
    enqueueMessages(trx, [{ enterpriseId: 1, body: "123456", validMinutes: 5, ...message }]),
  );

const askedFor = {
  seals: "seals",
  servers: "messages",
  hooks: "messages",
  events: "events",
  batches: "batches",
} as const;

test.each([
  [
    "seals",
    () =>
      put(sql`insert into audit (enterprise_id, user_id, login_name, action, resource, address, request_id)
      values (1, 1, 'admin', 'cpe.edit', 'cpe', '', '')`),
  ],
  ["servers", () => post({ channel: "sms", recipient: "13800000001" })],
  ["hooks", () => post({ channel: "wechat", recipient: "https://robot.example/send" })],
  [
    "events",
    () =>
      put(sql`insert into webhook_event (enterprise_id, kind, node_id, facts)
      values (1, 'device.online', 1, '{"enterpriseName": "a", "nodeKind": "cpe", "nodeName": "b", "sn": "c"}')`),
  ],
  [
    "batches",
    () =>
      put(sql`insert into batch (enterprise_id, user_id, login_name, address, request_id, action, fields, total)
      values (1, 1, 'admin', '', '', 'gone.action', '{}', 1)`),
  ],
] as const)("%s that come are found, and done without a turn of their own", async (name, add) => {
  await expect.poll(waiting, patience).toEqual(none);
  const before = asked[askedFor[name]];
  await add();
  await expect.poll(() => asked[askedFor[name]], patience).toBeGreaterThan(before);
  await expect.poll(waiting, patience).toEqual(none);
});

test("a message that expires before it is due is found, and one that is due later is not", async () => {
  await expect.poll(waiting, patience).toEqual(none);
  await worker.close();
  await post({ channel: "sms", recipient: "13800000002" });
  expect(await waiting()).toEqual({ ...none, servers: true });
  await put(sql`update outbox set next_at = now() + interval '1 hour' where state = 'waiting'`);
  expect(await waiting()).toEqual(none);
  await put(
    sql`update outbox set expires_at = now() - interval '1 second' where state = 'waiting'`,
  );
  expect(await waiting()).toEqual({ ...none, servers: true });
});

test("of thousands of messages that wait only those are read that are sent next", async () => {
  await worker.close();
  await put(
    sql`delete from outbox`,
    sql`insert into outbox (enterprise_id, channel, recipient, body, attempts, next_at, expires_at)
      select 1, 'sms', 'a' || n, '', n % 3, now() - interval '1 minute', now() + interval '1 day'
      from generate_series(1, 3000) n`,
    sql`insert into outbox (enterprise_id, channel, recipient, body, attempts, next_at, expires_at)
      select 1, case n % 2 when 0 then 'mail' else 'wechat' end, 'a' || n, '', n % 3, now() + interval '1 hour', now() + interval '1 day'
      from generate_series(1, 3000) n`,
  );
  await sql`analyze outbox`.execute(api.database.pools.owner.db);
  const read = await api.database.pools.worker.db.transaction().execute(async (trx) => {
    // What this connection did in transactions before is among them until it is flushed.
    const rowsRead = async (): Promise<number> => {
      const { rows: stats } = await sql<{ n: number }>`
        select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as n from pg_stat_xact_user_tables
        where relid = 'outbox'::regclass`.execute(trx);
      return stats[0]?.n ?? 0;
    };
    const first = await rowsRead();
    expect(await findWaitingWork(trx)).toEqual({ ...none, servers: true });
    const found = await rowsRead();
    const { taken } = await takeIn(trx, "servers");
    expect(taken.map(({ channel, attempts }) => [channel, attempts])).toEqual(
      Array.from({ length: 10 }, () => ["sms", 1]),
    );
    return { toFind: found - first, toTake: (await rowsRead()) - found };
  });
  expect(read.toFind).toBeLessThan(10);
  expect(read.toTake).toBeLessThan(400);
});
