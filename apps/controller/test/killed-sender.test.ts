/** A worker that is killed after a receiver has accepted a delivery, and before that is noted. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  webhook,
  webhookDeliveries,
  webhookTest,
} from "@weft/contract/domains/notifications/webhook.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "#db/schema.ts";
import { type TestDatabase, testDatabase } from "#db/testing.ts";
import { type ControllerProcess, startController } from "./controller-process.ts";
import { type HookReceivers, hookReceivers } from "./hook-receivers.ts";
import { wireDraft } from "./tenants.ts";

let database: TestDatabase<Database>;
let receivers: HookReceivers;
let folder: string;
const running = new Set<ControllerProcess>();
const password = "s3cret-Pass";

beforeAll(async () => {
  database = await testDatabase();
  receivers = await hookReceivers();
  folder = await mkdtemp(join(tmpdir(), "weft-killed-"));
}, 60_000);
afterAll(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await receivers.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

async function start(): Promise<ControllerProcess> {
  const env = {
    WEFT_ROLES: "api,worker",
    WEFT_ADMIN_PASSWORD: password,
    WEFT_HOOK_NETWORKS: "127.0.0.0/8",
  };
  const started = await startController({ databaseUrl: database.url, folder, env });
  running.add(started);
  return started;
}

async function call(url: string, token: string, path: string, fields: object, method = "POST") {
  const given = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const body = new URLSearchParams(given);
  const target = `${url}${path}?token=${token}`;
  const reply = await (method === "GET"
    ? fetch(`${target}&${body}`)
    : fetch(target, { method, body }));
  const answer = (await reply.json()) as { code: number; msg: string; data: unknown };
  if (answer.code !== 0) throw new Error(`${path}: ${answer.code} ${answer.msg}`);
  return answer;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error("it did not come about");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Shown {
  readonly state: string;
  readonly key: string;
  readonly attempts: readonly { endTime: string | null; status: number | null }[];
}

test("it is delivered again with the same id, and the proof shows both attempts", async () => {
  const first = await start();
  const logIn = async (url: string) => {
    const answer = await call(url, "", "/api/v1/customer/login", { loginName: "admin", password });
    return (answer.data as { token: string }).token;
  };
  const token = await logIn(first.url);
  const ids = { groupid: 1, cpeId: 0, popId: 0 };
  const draft = wireDraft("webhook", "valid", ids, { url: receivers.webhook });
  const added = await call(first.url, token, webhook.ops.add.path, draft);
  const { id } = added.data as { id: number };
  // It has the whole request, and the sender waits for the answer: nothing is noted yet.
  receivers.replies.push({ hangs: true });
  await call(first.url, token, webhookTest.path, { id });
  await until(() => receivers.received.length === 1);
  await first.end("SIGKILL");
  const { rows } = await sql<{ state: string; ended: Date | null }>`
    select o.state, a.ended_at as ended from weft.outbox o
    join weft.outbox_attempt a on a.message_id = o.id`.execute(database.pools.owner.db);
  expect(rows).toEqual([{ state: "waiting", ended: null }]);
  // The lease of two minutes is over.
  await sql`update weft.outbox set next_at = now()`.execute(database.pools.owner.db);
  const second = await start();
  const again = await logIn(second.url);
  const query = { id, page: 1, limit: 5 };
  let shown: Shown[] = [];
  await until(async () => {
    const answer = await call(second.url, again, webhookDeliveries.path, query, "GET");
    shown = answer.data as Shown[];
    return shown[0]?.state === "sent";
  });
  expect(shown).toHaveLength(1);
  expect(shown[0]?.attempts.map(({ endTime, status }) => [endTime !== null, status])).toEqual([
    [true, 200],
    [false, null],
  ]);
  expect(
    receivers.received.map(({ headers, isSigned }) => [headers["webhook-id"], isSigned]),
  ).toEqual([
    [shown[0]?.key, true],
    [shown[0]?.key, true],
  ]);
  expect(await second.end("SIGTERM")).toBe(0);
}, 180_000);
