import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { enqueueMessages, type OutboxMessage } from "#outbox/enqueue.ts";
import { type MessageResult, messageAttempted } from "#telemetry/events.ts";
import { type TestApi, testApi } from "../../test/api.ts";
import { type OutboxServers, outboxServers } from "../../test/outbox-servers.ts";
import { createOutboxSender, type OutboxSender, pauseAfter } from "./send-outbox.ts";

let api: TestApi;
let servers: OutboxServers;
let sender: OutboxSender;
const logger = pino({ level: "silent" });
beforeAll(async () => {
  api = await testApi();
  servers = await outboxServers();
  sender = createOutboxSender(
    api.database.pools,
    { ...servers, mailFrom: "weft@console.example", smsToken: "gateway-Secret" },
    logger,
    api.app.weft.vault,
  );
}, 60_000);
afterAll(async () => {
  sender.close();
  await servers.close();
  await api.close();
});
beforeEach(() => {
  servers.mails.length = 0;
  servers.messages.length = 0;
});

const message: OutboxMessage = {
  enterpriseId: 1,
  channel: "sms",
  recipient: "13800000001",
  body: "123456",
  validMinutes: 5,
};
const post = (...posted: OutboxMessage[]) =>
  inScope(api.database.pools.apiAll, { kind: "all" }, (trx) => enqueueMessages(trx, posted));
const rows = async () => {
  const found = await sql<{
    id: number;
    state: string;
    body: string;
    error: string;
    attempts: number;
  }>`
    select id, state, body, error, attempts from outbox order by id`.execute(
    api.database.pools.owner.db,
  );
  return found.rows;
};
const last = async () => (await rows()).at(-1);
const due = () =>
  sql`update outbox set next_at = now() where state = 'waiting'`.execute(
    api.database.pools.owner.db,
  );

test("a text message reaches the gateway as documented, and its text is deleted then", async () => {
  await post(message);
  expect(await sender.run()).toBe(1);
  const id = String((await last())?.id);
  expect(servers.messages).toHaveLength(1);
  expect(servers.messages[0]?.body).toEqual({ id, to: "13800000001", text: "123456" });
  expect(servers.messages[0]?.headers).toMatchObject({
    authorization: "Bearer gateway-Secret",
    "idempotency-key": id,
    "content-type": "application/json",
  });
  expect(await last()).toMatchObject({ state: "sent", body: "", attempts: 1 });
  expect(await sender.run()).toBe(0);
});

test("a mail reaches a mail server that requires authentication", async () => {
  await post({
    ...message,
    channel: "mail",
    recipient: "it@example.com",
    subject: "验证码",
    body: "码 1",
  });
  await sender.run();
  expect(servers.mails).toHaveLength(1);
  const { to, raw } = servers.mails[0] ?? { to: [], raw: "" };
  expect(to).toEqual(["it@example.com"]);
  expect(raw).toMatch(/^From: weft@console\.example\r$/m);
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(await last()).toMatchObject({ state: "sent", body: "" });
});

test("no line break in a subject or a recipient makes a header, and no list makes two messages", async () => {
  const mail = { ...message, channel: "mail", recipient: "it@example.com" } as const;
  await post(
    { ...mail, subject: "Hi\r\nBcc: thief@example.com\r\n\r\nbody" },
    { ...mail, recipient: "it@example.com\r\nBcc: thief@example.com" },
    { ...mail, recipient: "it@example.com,thief@example.com" },
    { ...mail, recipient: "Group: thief@example.com;" },
  );
  await sender.run();
  expect(servers.mails).toHaveLength(1);
  const [head = ""] = (servers.mails[0]?.raw ?? "").split("\r\n\r\n");
  expect(servers.mails[0]?.to).toEqual(["it@example.com"]);
  expect(head).not.toMatch(/^Bcc:/im);
  expect((await rows()).slice(-3).map(({ state }) => state)).toEqual([
    "failed",
    "failed",
    "failed",
  ]);
});

test("what may pass is tried again, later and later; what is for ever is given up", async ({
  onTestFinished,
}) => {
  const attempts: [string, MessageResult][] = [];
  onTestFinished(
    messageAttempted.listen(({ channel, result }) => void attempts.push([channel, result])),
  );
  servers.smsAnswers.push(503, 429);
  await post(message);
  await sender.run();
  expect(await last()).toMatchObject({ state: "waiting", error: "the gateway answered 503" });
  expect(await sender.run()).toBe(0);
  await due();
  await sender.run();
  expect(await last()).toMatchObject({ state: "waiting", attempts: 2 });
  await due();
  await sender.run();
  expect(await last()).toMatchObject({ state: "sent", attempts: 3 });
  expect([1, 2, 3, 20].map(pauseAfter)).toEqual([5, 10, 20, 3600]);
  servers.smsAnswers.push(400);
  await post(message);
  await sender.run();
  expect(await last()).toMatchObject({ state: "failed", body: "", attempts: 1 });
  servers.smtpAnswers.push(451, 550);
  const mail = { ...message, channel: "mail", recipient: "it@example.com" } as const;
  await post(mail);
  await sender.run();
  expect(await last()).toMatchObject({ state: "waiting" });
  await due();
  await sender.run();
  expect(await last()).toMatchObject({ state: "failed", attempts: 2 });
  await post({ ...message, validMinutes: 0 });
  await sender.run();
  expect(await last()).toMatchObject({ state: "failed", attempts: 0 });
  expect(attempts.map((attempt) => attempt.join(" "))).toEqual([
    "sms retried",
    "sms retried",
    "sms sent",
    "sms failed",
    "mail retried",
    "mail failed",
    "sms expired",
  ]);
});

test("a gateway that leads elsewhere is not followed", async () => {
  servers.smsAnswers.push(302);
  await post(message);
  await sender.run();
  expect(servers.messages).toHaveLength(1);
  expect(await last()).toMatchObject({ state: "waiting" });
  await sql`update outbox set expires_at = now() - interval '1 second'`.execute(
    api.database.pools.owner.db,
  );
  await sender.run();
  expect(await last()).toMatchObject({ state: "failed", body: "" });
});

test("two workers side by side send each message once", async () => {
  const other = createOutboxSender(
    api.database.pools,
    { ...servers, mailFrom: "weft@console.example", smsToken: undefined },
    logger,
    api.app.weft.vault,
  );
  await post(...Array.from({ length: 18 }, (_, n) => ({ ...message, body: `message ${n}` })));
  await Promise.all([sender.run(), other.run(), sender.run(), other.run()]);
  expect(new Set(servers.messages.map(({ body }) => body.text)).size).toBe(18);
  expect(servers.messages).toHaveLength(18);
  other.close();
});

test("a worker that died while sending a message only delays it", async () => {
  await post(message);
  await sql`update outbox set attempts = 1, next_at = now() + interval '2 minutes'
    where state = 'waiting'`.execute(api.database.pools.owner.db);
  expect(await sender.run()).toBe(0);
  await due();
  expect(await sender.run()).toBe(1);
  expect(await last()).toMatchObject({ state: "sent", attempts: 2 });
});

test("a message without a channel records that, and a session sees none", async () => {
  const without = {
    smtpUrl: undefined,
    mailFrom: "",
    smsUrl: undefined,
    smsToken: undefined,
    hookNetworks: [],
  };
  const none = createOutboxSender(api.database.pools, without, logger, api.app.weft.vault);
  await post(message);
  await none.run();
  expect(await last()).toMatchObject({
    state: "failed",
    error: "no SMS gateway is configured (WEFT_SMS_URL)",
  });
  const count = sql<{ n: number }>`select count(*) as n from outbox`;
  const scoped = { kind: "enterprises", ids: [1], userId: 1, ownOnly: false } as const;
  const { pools } = api.database;
  for (const seen of [
    inScope(pools.api, scoped, (trx) => count.execute(trx)),
    inScope(pools.apiAll, { kind: "all" }, (trx) => count.execute(trx)),
  ]) {
    expect((await seen).rows[0]?.n).toBe(0);
  }
});

test("a recipient that was given another address or number gets what waits there; one without it, or that is gone, nothing", async () => {
  const { db } = api.database.pools.owner;
  const { rows: made } = await sql<{ id: number }>`
    insert into weft.message_receiver (enterprise_id, name, email, email_flag, phone, phone_flag, language)
    values (1, 'on-duty', 'typo@example.com', true, '13800000001', true, 'zh_cn') returning id`.execute(
    db,
  );
  const receiverId = made[0]?.id ?? 0;
  const news = { ...message, receiverId, purpose: "alarm" } as const;
  const mail = { ...news, channel: "mail", recipient: "typo@example.com", subject: "s" } as const;
  await post(mail, news);
  await sql`update weft.message_receiver set email = 'right@example.com', phone = '13900000002'
    where id = ${receiverId}`.execute(db);
  await sender.run();
  expect(servers.mails.map(({ to }) => to)).toEqual([["right@example.com"]]);
  expect(servers.messages.map(({ body }) => body.to)).toEqual(["13900000002"]);
  await post(mail, news);
  await sql`update weft.message_receiver set email = null, email_flag = false where id = ${receiverId}`.execute(
    db,
  );
  await sender.run();
  expect(servers.mails).toHaveLength(1);
  expect(servers.messages).toHaveLength(2);
  await post(news);
  await sql`delete from weft.message_receiver where id = ${receiverId}`.execute(db);
  await sender.run();
  expect(servers.messages).toHaveLength(2);
  expect((await rows()).at(-1)).toMatchObject({
    state: "failed",
    error: "the recipient no longer has this address",
  });
});
