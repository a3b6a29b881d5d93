/** Notifications by robots and webhooks, to receivers that check what they get as the real ones do. */
import type { Channel } from "@weft/contract/domains/notifications/channels.ts";
import {
  messageReceive,
  messageReceiveDeliveries,
  messageReceiveResend,
  messageReceiveTest,
} from "@weft/contract/domains/notifications/message-receive.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import type { OutboxSender } from "#jobs/send-outbox.ts";
import { enqueueMessages } from "#outbox/enqueue.ts";
import { type TestApi, testApi } from "./api.ts";
import { type HookReceivers, hookReceivers, hookSecrets, hookSender } from "./hook-receivers.ts";
import { sendFile } from "./sheet-files.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

let api: TestApi;
let receivers: HookReceivers;
let sender: OutboxSender;
let admin: string;
let recipient: number;

const robots = () => ({
  dingtalk: receivers.dingtalk,
  dingtalkFlag: 1,
  dingtalkSecret: hookSecrets.dingtalk,
  wechat: receivers.wechat,
  wechatFlag: 1,
  feishu: receivers.feishu,
  feishuFlag: 1,
  feishuSecret: hookSecrets.feishu,
  webhook: receivers.webhook,
  webhookFlag: 1,
  webhookSecret: hookSecrets.webhook,
});

beforeAll(async () => {
  api = await testApi();
  receivers = await hookReceivers();
  sender = hookSender(api);
  admin = await api.logIn("admin");
  const ids = { groupid: 1, cpeId: 0, popId: 0 };
  recipient = newIdOf(
    await api.post(
      messageReceive.ops.add.path,
      wireDraft("messageReceive", "valid", ids, { name: "值班室", ...robots() }),
      admin,
    ),
  );
}, 60_000);
afterAll(async () => {
  sender.close();
  await receivers.close();
  await api.close();
});
beforeEach(() => {
  receivers.received.length = 0;
  receivers.replies.length = 0;
});

interface Shown {
  readonly id: number;
  readonly key: string;
  readonly state: string;
  readonly count: number;
  readonly error: string;
  readonly address: string;
  readonly attempts: readonly { status: number | null; answer: string; endTime: string | null }[];
}

const deliveries = async (id = recipient): Promise<Shown[]> => {
  const query = { id, page: 1, limit: 50 };
  return (await api.get(messageReceiveDeliveries.path, query, admin)).data as Shown[];
};
const delivery = async (id: number): Promise<Shown> => {
  const found = (await deliveries()).find((one) => one.id === id);
  if (!found) throw new Error(`no delivery ${id}`);
  return found;
};
const sendTest = async (channel: Channel): Promise<number> =>
  newIdOf(await api.post(messageReceiveTest.path, { id: recipient, channel }, admin));
const alarm = async (channel: Channel, body: string): Promise<number> => {
  await inScope(api.database.pools.apiAll, { kind: "all" }, (trx) =>
    enqueueMessages(trx, [
      {
        enterpriseId: 1,
        channel,
        recipient: receivers[channel as "dingtalk"],
        body,
        receiverId: recipient,
        purpose: "alarm",
        validMinutes: 60,
        subject: "[Weft 告警] 断网",
      },
    ]),
  );
  return (await deliveries())[0]?.id ?? 0;
};
const owner = () => api.database.pools.owner.db;
const due = () =>
  sql`update weft.outbox set next_at = now() where state = 'waiting'`.execute(owner());
const forgetAttempts = () => sql`delete from weft.outbox_attempt`.execute(owner());

describe("the test button", () => {
  test.each(["dingtalk", "wechat", "feishu", "webhook"] as const)(
    "a test message to %s is signed, accepted, and its answer is shown",
    async (channel) => {
      const id = await sendTest(channel);
      expect(await delivery(id)).toMatchObject({ state: "waiting", count: 0, attempts: [] });
      await sender.run("hooks");
      expect(receivers.received).toHaveLength(1);
      expect(receivers.received[0]).toMatchObject({ isSigned: true });
      expect(receivers.received[0]?.body).toContain("测试消息");
      const answer = {
        dingtalk: '{"errcode":0,"errmsg":"ok"}',
        wechat: '{"errcode":0,"errmsg":"ok"}',
        feishu: '{"code":0,"msg":"success","data":{}}',
        webhook: "accepted",
      }[channel];
      const shown = await delivery(id);
      expect(shown).toMatchObject({ state: "sent", count: 1, error: "" });
      expect(shown.attempts).toMatchObject([{ status: 200, answer }]);
      expect(shown.attempts[0]?.endTime).toMatch(/^\d{4}-/);
      // The address is what lets one send there.
      expect(shown.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/….{4}$/);
    },
  );

  test("a wrong secret shows what the robot answered, immediately", async () => {
    const ids = { groupid: 1, cpeId: 0, popId: 0 };
    const edit = (dingtalkSecret: string) =>
      api.post(
        messageReceive.ops.edit.path,
        wireDraft("messageReceive", "valid", ids, {
          id: recipient,
          name: "值班室",
          ...robots(),
          dingtalkSecret,
        }),
        admin,
      );
    expect(await edit("SEC-of-another")).toMatchObject({ code: 0 });
    const id = await sendTest("dingtalk");
    await sender.run("hooks");
    expect(await delivery(id)).toMatchObject({
      state: "failed",
      error: "the robot answered 310000: sign not match",
      attempts: [{ status: 200, answer: '{"errcode":310000,"errmsg":"sign not match"}' }],
    });
    expect(await edit(hookSecrets.dingtalk)).toMatchObject({ code: 0 });
    // An edit that leaves a secret empty keeps it.
    expect(await edit("")).toMatchObject({ code: 0 });
    const again = await sendTest("dingtalk");
    await sender.run("hooks");
    expect(await delivery(again)).toMatchObject({ state: "sent" });
  });

  test("a channel without an address or a server is refused with the reason", async () => {
    const id = newIdOf(
      await api.post(
        messageReceive.ops.add.path,
        wireDraft(
          "messageReceive",
          "valid",
          { groupid: 1, cpeId: 0, popId: 0 },
          {
            name: "无机器人",
            dingtalk: "",
            dingtalkFlag: 0,
          },
        ),
        admin,
      ),
    );
    expect(
      await api.post(messageReceiveTest.path, { id, channel: "dingtalk" }, admin),
    ).toMatchObject({ code: 422 });
    newIdOf(await api.post(messageReceiveTest.path, { id, channel: "mail" }, admin));
    await sender.run();
    expect((await deliveries(id))[0]).toMatchObject({
      state: "failed",
      error: "no mail server is configured (WEFT_SMTP_URL)",
    });
  });
});

test("secrets are sealed, in no answer and in no line of the operation log", async () => {
  const list = await api.get(messageReceive.ops.list.path, { page: 1, limit: 50 }, admin);
  const rows = list.data as { id: number; hasDingtalkSecret: number }[];
  expect(rows.find(({ id }) => id === recipient)).toMatchObject({
    hasDingtalkSecret: 1,
    hasFeishuSecret: 1,
    hasWebhookSecret: 1,
    dingtalkFlag: 1,
    dingtalk: receivers.dingtalk,
    wechat: receivers.wechat,
  });
  const { rows: kept } = await sql<{ text: string }>`
    select encode(s.sealed, 'escape') as text from weft.channel_secret s
    union all select a::text from weft.audit a
    union all select o::text from weft.outbox o`.execute(owner());
  const all = `${JSON.stringify(list)}${kept.map(({ text }) => text).join("\n")}`;
  for (const secret of Object.values(hookSecrets)) expect(all).not.toContain(secret);
  const { rows: noted } = await sql<{ fields: string }>`
    select new_value::text as fields from weft.audit where action = 'messageReceive.add'
    order by id limit 1`.execute(owner());
  expect(noted[0]?.fields).toContain("dingtalkSecret");
});

describe("retries", () => {
  test("500, a hang, an error in the body and an unknown answer are tried again with the same key", async () => {
    const id = await alarm("webhook", '{"type":"alarm.notification"}');
    receivers.replies.push(
      { status: 500, body: "broken" },
      { hangs: true },
      { status: 302, body: "", headers: { location: `${receivers.origin}/elsewhere` } },
    );
    const hasty = hookSender(api, ["127.0.0.0/8"], 2_000);
    for (const [by, error] of [
      [sender, "the receiver answered 500"],
      [hasty, "no whole answer within 2 s"],
      [sender, "the receiver answered 302"],
    ] as const) {
      await due();
      await by.run("hooks");
      expect(await delivery(id)).toMatchObject({ state: "waiting", error });
    }
    hasty.close();
    await due();
    await sender.run("hooks");
    const shown = await delivery(id);
    expect(shown).toMatchObject({ state: "sent", count: 4, error: "" });
    expect(shown.attempts.map(({ status, answer }) => [status, answer])).toEqual([
      [200, "accepted"],
      [302, ""],
      [null, "no whole answer within 2 s"],
      [500, "broken"],
    ]);
    expect(new Set(receivers.received.map(({ headers }) => headers["webhook-id"]))).toEqual(
      new Set([shown.key]),
    );
    expect(
      receivers.received.every(({ path, isSigned }) => path === "/webhook/weft" && isSigned),
    ).toBe(true);
    const robot = await alarm("wechat", "杭州门店 离线");
    receivers.replies.push({ body: '{"errcode":-1,"errmsg":"system busy"}' }, { body: "<html>" });
    for (const error of ["the robot answered -1: system busy", "the robot's answer is not known"]) {
      await due();
      await sender.run("hooks");
      expect(await delivery(robot)).toMatchObject({ state: "waiting", error });
    }
    await due();
    await sender.run("hooks");
    expect(await delivery(robot)).toMatchObject({ state: "sent", count: 3 });
  });

  test("a receiver that answers with Retry-After is retried after it, and one that answers 410 is not retried", async () => {
    const id = await alarm("webhook", "{}");
    const busy = await alarm("dingtalk", "too often");
    receivers.replies.push(
      { status: 429, headers: { "retry-after": "1200" } },
      { body: '{"errcode":130101,"errmsg":"send too fast, exceed 20 times per minute"}' },
    );
    await sender.run("hooks");
    const { rows } = await sql<{ id: number; seconds: number }>`
      select id, extract(epoch from next_at - now())::int as seconds from weft.outbox
      where state = 'waiting'`.execute(owner());
    const pauses = new Map(rows.map((row) => [row.id, row.seconds]));
    expect([pauses.get(id), pauses.get(busy)].map((one) => Number(one) > 500)).toEqual([
      true,
      true,
    ]);
    receivers.replies.push({ status: 410 });
    await sql`update weft.outbox set next_at = now() where id = ${id}`.execute(owner());
    await sender.run("hooks");
    expect(await delivery(id)).toMatchObject({
      state: "failed",
      error: "the receiver answered 410",
    });
    const copy = newIdOf(await api.post(messageReceiveResend.path, { deliveryId: id }, admin));
    await sender.run("hooks");
    const [old, resent] = [await delivery(id), await delivery(copy)];
    expect(resent).toMatchObject({ state: "sent", key: old.key });
    await sql`update weft.outbox set state = 'failed' where state = 'waiting'`.execute(owner());
  });

  test("a recipient that was given another address gets what waits there; one without it, nothing", async () => {
    const id = await alarm("feishu", "waits");
    const ids = { groupid: 1, cpeId: 0, popId: 0 };
    const edit = (replaced: object) =>
      api.post(
        messageReceive.ops.edit.path,
        wireDraft("messageReceive", "valid", ids, {
          id: recipient,
          name: "值班室",
          ...robots(),
          ...replaced,
        }),
        admin,
      );
    await edit({ feishu: `${receivers.feishu}-moved` });
    await sender.run("hooks");
    expect(receivers.received.map(({ path }) => path.slice(-6))).toEqual(["-moved"]);
    expect(await delivery(id)).toMatchObject({ state: "sent" });
    const lost = await alarm("feishu", "lost");
    await edit({ feishu: "", feishuFlag: 0 });
    await sender.run("hooks");
    expect(await delivery(lost)).toMatchObject({
      state: "failed",
      error: "the recipient no longer has this address",
    });
    await edit({});
  });
});

test("a robot gets no more than its limit in a minute, by any number of workers, and others do not wait", async () => {
  await forgetAttempts();
  for (let n = 0; n < 24; n += 1) await alarm("dingtalk", `alarm ${n}`);
  await alarm("webhook", "{}");
  const other = hookSender(api);
  for (let turn = 0; turn < 4; turn += 1)
    await Promise.all([sender.run("hooks"), other.run("hooks")]);
  const paths = receivers.received.map(({ path }) => path.split("/")[1]);
  expect(paths.filter((path) => path === "dingtalk")).toHaveLength(20);
  expect(paths.filter((path) => path === "webhook")).toHaveLength(1);
  const left = (await deliveries()).filter(({ state }) => state === "waiting");
  expect(left.map(({ count, attempts }) => [count, attempts.length])).toEqual(
    Array.from({ length: 4 }, () => [0, 0]),
  );
  // A minute later.
  await sql`update weft.outbox_attempt set at = at - interval '2 minutes'`.execute(owner());
  await due();
  await sender.run("hooks");
  expect(receivers.received).toHaveLength(25);
});

test("an address inside is not reached unless the installation allows it", async () => {
  const closed = hookSender(api, []);
  const id = await alarm("webhook", "{}");
  await closed.run("hooks");
  expect(receivers.received).toEqual([]);
  expect(await delivery(id)).toMatchObject({
    state: "failed",
    attempts: [{ status: null }],
    error: "the address is private, which WEFT_HOOK_NETWORKS does not allow",
  });
});

test("a long message is cut to what WeChat Work takes, at the end of a line", async () => {
  const lines = Array.from({ length: 60 }, (_, n) => `[紧急] CPE 杭州门店-${n} 设备离线，始于昨天`);
  const notice = { subject: "[Weft 告警] 断网：新告警 60 条", body: lines.join("\n") };
  const { render } = await import("#domains/notifications/channel/public.ts");
  const cut = render("wechat", { ...notice, short: "", type: "", at: new Date(), data: {} });
  await alarm("wechat", cut.body);
  await sender.run("hooks");
  const { text } = JSON.parse(receivers.received[0]?.body ?? "{}") as { text: { content: string } };
  expect(Buffer.byteLength(text.content)).toBeLessThanOrEqual(2048);
  expect(text.content.endsWith("始于昨天\n…")).toBe(true);
  expect((await deliveries())[0]).toMatchObject({ state: "sent" });
});

test("messages that users send are limited by enterprise", async () => {
  await sql`update weft.outbox set by_hand = false`.execute(owner());
  const id = await sendTest("webhook");
  await sender.run("hooks");
  const again = () => api.post(messageReceiveResend.path, { deliveryId: id }, admin);
  const codes: number[] = [];
  for (let n = 0; n < 60; n += 1) codes.push((await again()).code);
  expect(codes).toEqual([...Array.from({ length: 59 }, () => 0), 429]);
  expect(
    await api.post(messageReceiveTest.path, { id: recipient, channel: "sms" }, admin),
  ).toMatchObject({ code: 429 });
  await sql`update weft.outbox set created_at = created_at - interval '11 minutes'`.execute(
    owner(),
  );
  expect(await again()).toMatchObject({ code: 0 });
});

test("a file from before there were robots adds recipients without them", async () => {
  const file =
    "名称,邮箱,邮件接收,手机,短信接收,语言,备注\r\n旧文件,old@example.com,是,,否,简体中文,";
  const answer = await sendFile(api, { resource: "messageReceive", token: admin }, file);
  expect(answer).toMatchObject({ code: 0 });
  const list = await api.get(
    messageReceive.ops.list.path,
    { page: 1, limit: 50, name: "旧文件" },
    admin,
  );
  expect(list.data).toMatchObject([
    { email: "old@example.com", emailFlag: 1, dingtalk: null, dingtalkFlag: 0, webhookFlag: 0 },
  ]);
});
