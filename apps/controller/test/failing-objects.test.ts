/**
 * One object at which repeated work fails, whatever made it so (a device's text, a row of another release, a fault of ours),
 * is in the way of no other: of those of other tenants least of all.
 */

import { alarmRule, alarmStrategy } from "@weft/contract/domains/notifications/alarm.ts";
import { alarmEventList } from "@weft/contract/domains/notifications/alarm-event.ts";
import { messageReceive } from "@weft/contract/domains/notifications/message-receive.ts";
import { webhook } from "@weft/contract/domains/notifications/webhook.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createAlarms } from "#domains/notifications/alarm/public.ts";
import { fanOutEvents } from "#domains/notifications/webhook/public.ts";
import { sweepAll } from "#jobs/housekeeping.ts";
import { createBatchRunner } from "#jobs/run-batches.ts";
import { type TestApi, testApi } from "./api.ts";
import { type HookReceivers, hookReceivers, hookSecrets, hookSender } from "./hook-receivers.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "./tenants.ts";

let api: TestApi;
let receivers: HookReceivers;
let [mine, theirs] = [] as unknown as [Tenant, Tenant];
const logger = pino({ level: "silent" });
beforeAll(async () => {
  api = await testApi();
  receivers = await hookReceivers();
  const admin = await api.logIn("admin");
  mine = await makeTenant(api, admin, "failing-mine");
  theirs = await makeTenant(api, admin, "failing-theirs");
}, 60_000);
afterAll(async () => {
  await receivers.close();
  await api.close();
});
beforeEach(async () => {
  receivers.received.length = 0;
  for (const table of ["alarm_event", "alarm_watch", "outbox", "webhook_event", "webhook"])
    await run(sql`delete from ${sql.table(`weft.${table}`)}`);
});

const run = async <Row>(statement: ReturnType<typeof sql<Row>>): Promise<readonly Row[]> =>
  (await statement.execute(api.database.pools.owner.db)).rows;

/** A policy that watches devices of the tenant and sends mails. */
async function policyOf({ ids, token }: Tenant): Promise<{ policy: number; rule: number }> {
  await run(sql`delete from weft.alarm_strategy where enterprise_id = ${ids.groupid}`);
  await run(sql`delete from weft.message_receiver where enterprise_id = ${ids.groupid}`);
  const receiver = newIdOf(
    await api.post(messageReceive.ops.add.path, wireDraft("messageReceive", "valid", ids), token),
  );
  const draft = wireDraft("alarmStrategy", "valid", ids, {
    name: "failing",
    cpeIds: String(ids.cpeId),
    popIds: "",
    recipientIds: String(receiver),
  });
  const policy = newIdOf(await api.post(alarmStrategy.ops.add.path, draft, token));
  const ofNode = { metric: "node", level: 1, duration: 0, recovery: 0, enable: 1 };
  const rule = newIdOf(
    await api.post(alarmRule.ops.add.path, { ...ofNode, strategyId: policy }, token),
  );
  return { policy, rule };
}
const goDown = ({ ids }: Tenant) =>
  run(sql`insert into weft.node_status (node_id, enterprise_id, online, last_seen)
    values (${ids.cpeId}, ${ids.groupid}, false, now())
    on conflict (node_id) do update set online = false, last_seen = now()`);
const evaluate = async (): Promise<string[]> => {
  const reported: string[] = [];
  const times = { windowMs: 0, gapMs: 0, graceMs: 0 };
  const report = (error: unknown) => void reported.push(String(error));
  await createAlarms({ pools: api.database.pools, times, report }).run();
  return reported;
};
const mailsOf = async ({ ids }: Tenant): Promise<string[]> =>
  (
    await run(sql<{ body: string }>`
      select body from weft.outbox where enterprise_id = ${ids.groupid} order by id`)
  ).map(({ body }) => body);
const openAlarms = async ({ token }: Tenant): Promise<number> => {
  const answer = await api.get(alarmEventList.path, { active: 1, limit: 10 }, token);
  expect(answer).toMatchObject({ code: 0 });
  return (answer.data as unknown[]).length;
};

test("alarms are sent to others while the text of one cannot be read, and to its own readers as it is", async () => {
  const [ours, others] = [await policyOf(mine), await policyOf(theirs)];
  const raise = (
    { ids }: Tenant,
    { policy, rule }: { policy: number; rule: number },
    metric: string,
    text: string,
  ) =>
    run(sql`insert into weft.alarm_event (enterprise_id, strategy_id, strategy_name, rule_id, metric, level,
      node_id, node_kind, node_name, item, item_name, relies, opened_at, last_at, joined)
      values (${ids.groupid}, ${policy}, 'failing', ${rule}, ${metric}, 2, ${ids.cpeId}, 'cpe', 'a', ${metric},
        ${text}, '{}', now(), now(), true)`);
  const wave = { template: "t", version: 1, wave: 1, gate: "task", params: { reason: "{oops" } };
  await raise(mine, ours, "rollout", JSON.stringify(wave));
  await raise(mine, ours, "finding", "{no JSON");
  await raise(mine, ours, "deny", '"a text"');
  await raise(mine, ours, "later", "of a later release");
  await raise(theirs, others, "line", "wan1");
  expect(await evaluate()).toEqual([]);
  expect(await mailsOf(theirs)).toHaveLength(1);
  const [mail = ""] = await mailsOf(mine);
  for (const part of ["{oops", "{no JSON", "a text", "of a later release"])
    expect(mail).toContain(part);
  await run(sql`delete from weft.alarm_event where metric = 'later'`);
  expect(await openAlarms(mine)).toBe(3);
});

/** Lets each row of a table fail for which the condition holds, while the work is done. */
async function failingAt(
  table: string,
  condition: ReturnType<typeof sql>,
  work: () => Promise<void>,
): Promise<void> {
  await run(sql`create function weft.fail() returns trigger language plpgsql as $$
    begin raise exception 'this row fails'; end $$`);
  await run(sql`create trigger fail before insert on ${sql.table(`weft.${table}`)} for each row
    when (${condition}) execute function weft.fail()`);
  try {
    await work();
  } finally {
    await run(sql`drop function weft.fail() cascade`);
  }
}

test("alarms of other devices are raised and sent while those of one device cannot be written", async () => {
  await policyOf(mine);
  await policyOf(theirs);
  await failingAt("alarm_watch", sql`new.node_id = ${sql.lit(mine.ids.cpeId)}`, async () => {
    await goDown(mine);
    await goDown(theirs);
    expect(await evaluate()).toEqual([expect.stringContaining("this row fails")]);
    expect([await openAlarms(mine), await openAlarms(theirs)]).toEqual([0, 1]);
    expect(await mailsOf(theirs)).toHaveLength(1);
  });
  await evaluate();
  expect(await openAlarms(mine)).toBe(1);
});

test("alarms of other policies are sent while those of one policy cannot be", async () => {
  await policyOf(mine);
  await policyOf(theirs);
  await failingAt("outbox", sql`new.enterprise_id = ${sql.lit(mine.ids.groupid)}`, async () => {
    await goDown(mine);
    await goDown(theirs);
    expect(await evaluate()).toEqual([expect.stringContaining("this row fails")]);
    expect([await openAlarms(mine), await openAlarms(theirs)]).toEqual([1, 1]);
    expect(await mailsOf(theirs)).toHaveLength(1);
  });
  await run(sql`update weft.alarm_strategy set notified_at = null`);
  await evaluate();
  expect(await mailsOf(mine)).toHaveLength(1);
});

const webhookOf = async ({ ids, token }: Tenant): Promise<number> => {
  const url = receivers.webhook;
  const draft = wireDraft("webhook", "valid", ids, {
    name: "failing",
    url,
    secret: hookSecrets.webhook,
    events: "device.online",
  });
  return newIdOf(await api.post(webhook.ops.add.path, draft, token));
};
const happen = ({ ids }: Tenant, kind: string) =>
  run(sql`insert into weft.webhook_event (enterprise_id, kind, node_id, facts)
    values (${ids.groupid}, ${kind}, ${ids.cpeId}, jsonb_build_object('enterpriseName', 'e', 'nodeKind', 'cpe',
      'nodeName', 'n', 'sn', 's'))`);
test("events of others become messages while one cannot be written as one", async () => {
  await webhookOf(theirs);
  await happen(mine, "of a later release");
  await happen(theirs, "device.online");
  const reported: unknown[] = [];
  const report = (error: unknown) => void reported.push(error);
  expect(await fanOutEvents(api.database.pools, report)).toBe(2);
  expect(reported).toHaveLength(1);
  expect(await mailsOf(theirs)).toHaveLength(1);
  expect(await fanOutEvents(api.database.pools, report)).toBe(0);
});

test("messages of others are sent while one has no usable address, which is tried again as any other", async () => {
  const ours = await webhookOf(mine);
  await webhookOf(theirs);
  await run(sql`update weft.webhook set url = 'no address' where id = ${ours}`);
  await run(sql`update weft.webhook set events = events`);
  for (const tenant of [mine, theirs]) {
    await run(sql`insert into weft.outbox (enterprise_id, channel, recipient, body, purpose, webhook_id, event, expires_at)
      select enterprise_id, 'webhook', url, '{}', 'event', id, 'device.online', now() + interval '1 hour'
      from weft.webhook where enterprise_id = ${tenant.ids.groupid}`);
  }
  expect(await hookSender(api).run("hooks")).toBe(2);
  expect(receivers.received).toHaveLength(1);
  const [failed] = await run(sql<{ state: string; error: string; soon: boolean; ended: boolean }>`
    select o.state, o.error, o.next_at < now() + interval '1 minute' as soon, a.ended_at is not null as ended
    from weft.outbox o join weft.outbox_attempt a on a.message_id = o.id
    where o.enterprise_id = ${mine.ids.groupid}`);
  expect(failed).toMatchObject({ state: "waiting", soon: true, ended: true });
  expect(failed?.error).not.toBe("");
});

test("messages of an enterprise whose receivers take many keep those of others waiting for no more than a turn", async () => {
  await webhookOf(mine);
  await webhookOf(theirs);
  await run(sql`insert into weft.outbox (enterprise_id, channel, recipient, body, purpose, webhook_id, event,
      next_at, expires_at)
    select enterprise_id, 'webhook', url, '{"n": ' || n || '}', 'event', id, 'device.online',
      now() - case when enterprise_id = ${mine.ids.groupid} then interval '1 hour' else interval '1 s' end,
      now() + interval '1 hour'
    from weft.webhook cross join generate_series(1, 200) n
    where enterprise_id = ${mine.ids.groupid} or n <= 3`);
  await hookSender(api).run("hooks");
  const sent = await run(sql<{ enterprise_id: number; n: number }>`
    select enterprise_id, count(*)::int as n from weft.outbox where state = 'sent' group by 1`);
  expect(sent.find((row) => row.enterprise_id === theirs.ids.groupid)?.n).toBe(3);
  // What is left of a turn is used.
  expect(sent.find((row) => row.enterprise_id === mine.ids.groupid)?.n).toBe(7);
});

test("bulk jobs of others go on while one cannot be continued, and that one ends with its reason", async () => {
  const seed = async ({ ids }: Tenant, name: string): Promise<number[]> =>
    (
      await run(sql<{ id: number }>`
        insert into weft.node (enterprise_id, kind, name, sn, created_by)
        select ${ids.groupid}, 'cpe', ${name} || i, ${name} || i, 1 from generate_series(1, 150) i returning id`)
    ).map(({ id }) => id);
  const start = async (tenant: Tenant, name: string): Promise<number> =>
    newIdOf(
      await api.post(
        "/customer/cpe/batchEnable",
        { ids: (await seed(tenant, name)).join(","), setEnable: 0 },
        tenant.token,
      ),
    );
  const [failing, other] = [await start(mine, "failing-"), await start(theirs, "going-")];
  await run(sql`update weft.batch set fields = '{"setEnable": "no number"}' where id = ${failing}`);
  const runner = createBatchRunner(api.database.pools, logger);
  for (let turn = 0; turn < 20; turn += 1) await runner.run();
  const rows = await run(sql<{ id: number; done: number; failed: number; ended: boolean }>`
    select id, done, failed, ended_at is not null as ended from weft.batch order by id`);
  expect(rows).toEqual([
    { id: failing, done: 0, failed: 150, ended: true },
    { id: other, done: 150, failed: 0, ended: true },
  ]);
  const items = await api.get("/customer/batch/items", { id: failing, limit: 1 }, mine.token);
  expect(JSON.stringify(items.data)).toMatch(/系统错误/);
});

test("what is old is removed though a part of it cannot be, such as records of flows while their store is away", async () => {
  await run(sql`insert into weft.enterprise_param (enterprise_id, expire_notice_days, timezone, log_days)
    values (${mine.ids.groupid}, 30, 'Asia/Shanghai', 7)`);
  await run(sql`insert into weft.outbox (enterprise_id, channel, recipient, body, state, expires_at, ended_at)
    values (${mine.ids.groupid}, 'mail', 'a@example.com', '', 'sent', now(), now() - interval '40 days')`);
  const keepDays = async () => {
    throw new Error("the store of flows is away");
  };
  await expect(
    sweepAll(api.database.pools, { loginLogDays: 180, flows: { keepDays } }),
  ).rejects.toThrow("the store of flows is away");
  expect(await run(sql`select from weft.outbox`)).toEqual([]);
});
