/** Webhooks: which events reach which receivers, what they contain, and that none is lost. */
import type { WebhookEvent } from "@weft/contract/domains/notifications/enums.ts";
import {
  webhook,
  webhookDeliveries,
  webhookReplay,
  webhookTest,
} from "@weft/contract/domains/notifications/webhook.ts";
import { webhookPayload } from "@weft/contract/domains/notifications/webhook-payload.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { fanOutEvents } from "#domains/notifications/webhook/public.ts";
import { type OutboxSender, sweepMessages } from "#jobs/send-outbox.ts";
import { type TestApi, testApi } from "./api.ts";
import { type HookReceivers, hookReceivers, hookSender } from "./hook-receivers.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "./tenants.ts";

let api: TestApi;
let receivers: HookReceivers;
let sender: OutboxSender;
let admin: string;
let home: Tenant;
let other: Tenant;

beforeAll(async () => {
  api = await testApi();
  receivers = await hookReceivers();
  sender = hookSender(api);
  admin = await api.logIn("admin");
  [home, other] = [await makeTenant(api, admin, "home"), await makeTenant(api, admin, "other")];
}, 60_000);
afterAll(async () => {
  sender.close();
  await receivers.close();
  await api.close();
});
beforeEach(async () => {
  receivers.received.length = 0;
  receivers.replies.length = 0;
  await run(sql`delete from weft.webhook`);
  await run(sql`delete from weft.webhook_event`);
});

const run = async <Row>(statement: ReturnType<typeof sql<Row>>): Promise<readonly Row[]> =>
  (await statement.execute(api.database.pools.owner.db)).rows;

const addWebhook = async (token: string, groupid: number, replaced: object): Promise<number> => {
  const ids = { groupid, cpeId: 0, popId: 0 };
  const draft = wireDraft("webhook", "valid", ids, { url: receivers.webhook, ...replaced });
  return newIdOf(await api.post(webhook.ops.add.path, draft, token));
};
const fail = (error: unknown): never => {
  throw error;
};
/** Work of the worker until nothing is left. */
const settle = async (): Promise<void> => {
  while ((await fanOutEvents(api.database.pools, fail)) > 0);
  while ((await sender.run("hooks")) > 0);
};
const typesOf = () =>
  receivers.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);

/** Something happens to a CPE, as its own writer writes it. */
const happen: Readonly<
  Record<WebhookEvent, (node: number, enterprise: number) => Promise<unknown>>
> = {
  "alarm.opened": (node, enterprise) =>
    run(sql`insert into weft.alarm_event (enterprise_id, strategy_name, metric, level, node_id, node_kind,
      node_name, item, item_name, relies, opened_at, last_at, joined)
      values (${enterprise}, '断网与离线', 'line', 2, ${node}, 'cpe', '杭州门店', 'wan1', '电信', '{}', now(),
        now(), true)`),
  "alarm.ended": (node) =>
    run(
      sql`update weft.alarm_event set cleared_at = now(), closed_at = now() where node_id = ${node}`,
    ),
  "change.delivered": (node, enterprise) => state(node, enterprise, 1, "confirmed"),
  "change.failed": (node, enterprise) => state(node, enterprise, 2, "refused"),
  "cpe.approved": (node, enterprise) =>
    run(sql`insert into weft.node_identity (enterprise_id, node_id, public_key, sn, address, state,
      decided_at, decided_by) values (${enterprise}, ${node}, ${`key-${node}`}, 'SN-7', '192.0.2.1', 'approved',
        now(), 'admin')`),
  "device.online": (node, enterprise) =>
    run(sql`insert into weft.node_status (node_id, enterprise_id, online) values (${node}, ${enterprise}, true)
      on conflict (node_id) do update set online = true`),
  "device.offline": (node) =>
    run(sql`update weft.node_status set online = false where node_id = ${node}`),
};
const state = async (node: number, enterprise: number, serial: number, outcome: string) => {
  await run(sql`insert into weft.node_state (node_id, epoch, serial, enterprise_id, sections, digest, cause,
    created_by) values (${node}, 1, ${serial}, ${enterprise}, '{}', 'x', 'cpe.edit', 1)`);
  await run(sql`update weft.node_state set outcome = ${outcome}, reason = 'no such interface'
    where node_id = ${node} and serial = ${serial}`);
};
const events = Object.keys(happen) as WebhookEvent[];

test("each event arrives signed, with its declared payload, at subscribed webhooks only", async () => {
  const { cpeId, groupid } = home.ids;
  const all = await addWebhook(home.token, groupid, { name: "all", events: events.join() });
  await addWebhook(home.token, groupid, { name: "none", events: "device.offline", enable: 0 });
  await addWebhook(other.token, other.ids.groupid, { name: "foreign", events: events.join() });
  for (const kind of events) {
    receivers.received.length = 0;
    await happen[kind](cpeId, groupid);
    await settle();
    expect(typesOf(), kind).toEqual([kind]);
    const [one] = receivers.received;
    expect(one?.isSigned, kind).toBe(true);
    const payload = webhookPayload(kind).parse(JSON.parse(one?.body ?? "{}"));
    expect(payload.data, kind).toMatchObject({
      enterprise: { id: groupid },
      device: { id: cpeId, kind: "cpe" },
    });
  }
  const query = { id: all, page: 1, limit: 50 };
  const { data, count } = await api.get(webhookDeliveries.path, query, home.token);
  expect(count).toBe(events.length);
  expect((data as { event: string; state: string }[]).map((row) => [row.event, row.state])).toEqual(
    events.toReversed().map((kind) => [kind, "sent"]),
  );
});

test("events of subordinates arrive where subscribed, events of sibling enterprises do not", async () => {
  const { cpeId, groupid } = home.ids;
  await addWebhook(admin, 1, { name: "with-below", events: "device.online", below: 1 });
  await addWebhook(admin, 1, { name: "own-only", events: "device.online", below: 0 });
  await addWebhook(other.token, other.ids.groupid, { name: "beside", events: "device.online" });
  await happen["device.offline"](cpeId, groupid);
  await happen["device.online"](cpeId, groupid);
  await settle();
  expect(typesOf()).toEqual(["device.online"]);
  // An event that no one has asked for leaves nothing behind.
  await happen["device.offline"](cpeId, groupid);
  expect(await run(sql`select from weft.webhook_event`)).toEqual([]);
});

test("an event is undone with the transaction that it is of", async () => {
  const { cpeId, groupid } = home.ids;
  await addWebhook(home.token, groupid, { name: "undone", events: "device.offline" });
  await happen["device.online"](cpeId, groupid);
  await api.database.pools.owner.db
    .transaction()
    .execute(async (trx) => {
      await sql`update weft.node_status set online = false where node_id = ${cpeId}`.execute(trx);
      throw new Error("undone");
    })
    .catch(() => undefined);
  await settle();
  expect(receivers.received).toEqual([]);
});

test("a replay is the same event with the same id; another tenant neither sees nor replays it", async () => {
  const { cpeId, groupid } = home.ids;
  const id = await addWebhook(home.token, groupid, { name: "replayed", events: "device.online" });
  await happen["device.offline"](cpeId, groupid);
  await happen["device.online"](cpeId, groupid);
  receivers.replies.push({ status: 410, body: "moved" });
  await settle();
  const list = async (token: string) =>
    api.get(webhookDeliveries.path, { id, page: 1, limit: 9 }, token);
  const [failed] = (await list(home.token)).data as { id: number; state: string; body: string }[];
  expect(failed).toMatchObject({ state: "failed" });
  const again = { deliveryId: failed?.id };
  for (const token of [other.token]) {
    expect(await list(token)).toMatchObject({ code: 404 });
    expect(await api.post(webhookReplay.path, again, token)).toMatchObject({ code: 404 });
    expect(await api.post(webhookTest.path, { id }, token)).toMatchObject({ code: 404 });
  }
  newIdOf(await api.post(webhookReplay.path, again, home.token));
  expect(
    await api.post(webhookReplay.path, { deliveryId: (failed?.id ?? 0) + 9_999 }, home.token),
  ).toMatchObject({ code: 404 });
  await settle();
  const [first, second] = receivers.received;
  expect(second?.body).toBe(first?.body);
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  expect(second?.isSigned).toBe(true);
});

test("a new webhook needs a secret, an edit without one keeps it, and a disabled one gets tests only", async () => {
  const ids = { groupid: home.ids.groupid, cpeId: 0, popId: 0 };
  const draft = (replaced: object) =>
    wireDraft("webhook", "valid", ids, { url: receivers.webhook, name: "secret", ...replaced });
  expect(await api.post(webhook.ops.add.path, draft({ secret: "" }), home.token)).toMatchObject({
    code: 400,
    issues: [{ path: "secret", rule: "required" }],
  });
  const id = newIdOf(
    await api.post(webhook.ops.add.path, draft({ events: "device.offline" }), home.token),
  );
  const edited = draft({ id, secret: "", events: "device.offline", enable: 0 });
  expect(await api.post(webhook.ops.edit.path, edited, home.token)).toMatchObject({ code: 0 });
  const { cpeId, groupid } = home.ids;
  await happen["device.online"](cpeId, groupid);
  await happen["device.offline"](cpeId, groupid);
  newIdOf(await api.post(webhookTest.path, { id }, home.token));
  await settle();
  expect(typesOf()).toEqual(["webhook.test"]);
  expect(receivers.received[0]?.isSigned).toBe(true);
});

test("the log of a webhook is bounded", async () => {
  const id = await addWebhook(home.token, home.ids.groupid, { name: "bounded" });
  await run(sql`insert into weft.outbox (enterprise_id, channel, recipient, body, purpose, webhook_id, state,
      ended_at, expires_at)
    select ${home.ids.groupid}, 'webhook', 'x', '{}', 'event', ${id}, 'sent', now(), now()
    from generate_series(1, 1010)`);
  await sweepMessages(api.database.pools);
  const [left] = await run(sql<{ n: number }>`
    select count(*) as n from weft.outbox where webhook_id = ${id}`);
  expect(left?.n).toBe(1000);
});
