/** Alarms from the device to the notification: real database, real sockets, real mail server. */

import { line } from "@weft/contract/domains/devices/line.ts";
import {
  alarmRule,
  alarmStrategy,
  alarmStrategyShare,
} from "@weft/contract/domains/notifications/alarm.ts";
import {
  alarmEventHandle,
  alarmEventList,
} from "@weft/contract/domains/notifications/alarm-event.ts";
import { messageReceive } from "@weft/contract/domains/notifications/message-receive.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startWorker, type Worker } from "#jobs/start.ts";
import { eventually, type LoopWorld, loopWorld } from "../../../../test/loop-world.ts";
import { type OutboxServers, outboxServers } from "../../../../test/outbox-servers.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";
import { createAlarms } from "./evaluate.ts";

type Event = OutputOf<typeof alarmEventList>[number];

let world: LoopWorld;
let [mine, theirs] = [] as unknown as [Tenant, Tenant];
beforeAll(async () => {
  world = await loopWorld();
  mine = await makeTenant(world.api, world.admin, "alarm-mine");
  theirs = await makeTenant(world.api, world.admin, "alarm-theirs");
}, 60_000);
afterAll(() => world.close());

const run = (query: ReturnType<typeof sql>) => query.execute(world.pools.apiAll.db);
const rowsOf = async <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  (await query.execute(world.pools.owner.db)).rows;
const post = (path: string, fields: object, token = mine.token) =>
  world.api.post(path, fields, token);
const events = async (query: object = {}, token = mine.token): Promise<Event[]> => {
  const answer = await world.api.get(alarmEventList.path, { limit: 100, ...query }, token);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as Event[];
};
const at = { windowMs: 0, gapMs: 0, graceMs: 0 };
const alarms = (times = at) =>
  createAlarms({ pools: world.pools, times, report: (error) => expect(error).toBeNull() });
/** Evaluates as a worker that starts now would. */
const evaluate = () => alarms().run();

async function policyOf(tenant: Tenant, name: string, replaced: object = {}): Promise<number> {
  const draft = wireDraft("alarmStrategy", "valid", tenant.ids, {
    name,
    cpeIds: "",
    popIds: "",
    ...replaced,
  });
  return newIdOf(await post(alarmStrategy.ops.add.path, draft, tenant.token));
}
async function ruleOf(strategyId: number, metric: string, replaced: object = {}): Promise<number> {
  const draft = {
    strategyId,
    metric,
    level: 1,
    duration: 0,
    recovery: 0,
    enable: 1,
    ...replaced,
  };
  return newIdOf(await post(alarmRule.ops.add.path, draft, world.admin));
}
const receiverOf = async (tenant: Tenant, name: string, replaced: object = {}) =>
  newIdOf(
    await post(
      messageReceive.ops.add.path,
      wireDraft("messageReceive", "valid", tenant.ids, { name, ...replaced }),
      tenant.token,
    ),
  );
const turn = (nodeId: number, online: boolean) =>
  run(sql`insert into node_status (node_id, enterprise_id, online, last_seen)
    select id, enterprise_id, ${online}, now() from node where id = ${nodeId}
    on conflict (node_id) do update set online = excluded.online, last_seen = now()`);
const messages = () =>
  rowsOf(sql<{ recipient: string; subject: string; body: string; channel: string }>`
    select recipient, subject, body, channel from weft.outbox order by id`);

beforeEach(async () => {
  for (const table of ["alarm_event", "alarm_watch", "transition", "outbox", "message"])
    await rowsOf(sql`delete from ${sql.table(`weft.${table}`)}`);
  await rowsOf(sql`delete from weft.alarm_strategy where name like 'test-%'`);
  await rowsOf(sql`delete from weft.message_receiver`);
});

describe("a line that falls", () => {
  let servers: OutboxServers;
  let worker: Worker;
  beforeAll(async () => {
    servers = await outboxServers();
    const messages = { ...servers, mailFrom: "weft@console.example", smsToken: undefined };
    worker = await startWorker({ ...world.base, messages });
  });
  afterAll(async () => {
    await worker.close();
    await servers.close();
  });

  test("B-1-19: is an event immediately, a mail soon, and clears by itself", async () => {
    const site = await world.addSite();
    await world.post(
      line.ops.add.path,
      wireDraft("line", "valid", { groupid: 1, cpeId: site.id, popId: 0 }),
    );
    const receiver = await post(
      messageReceive.ops.add.path,
      {
        name: "noc",
        email: "noc@example.com",
        emailFlag: 1,
        phoneFlag: 0,
        language: "zh_cn",
        remark: "",
      },
      world.admin,
    );
    const policy = await post(
      alarmStrategy.ops.add.path,
      {
        name: "test-lines",
        enable: 1,
        cpeIds: site.id,
        popIds: "",
        recipientIds: newIdOf(receiver),
        remark: "",
      },
      world.admin,
    );
    await ruleOf(newIdOf(policy), "line");
    const edge = await world.enrolled(site);
    const socket = await edge.connect();
    const wan = { interfaceName: "wan4", addressing: "dhcp", address: "198.51.100.9/24" } as const;
    socket.send(edge.report({ lines: [{ ...wan, up: true }] }));
    await eventually(async () => (await world.stateOf(site.id)).online, "the device is online");
    socket.send(edge.report({ lines: [{ ...wan, up: false }] }));
    const raised = await eventually(
      async () => (await events({ cpeId: site.id, active: 1 }, world.admin))[0],
      "the event",
    );
    expect(raised).toMatchObject({
      metric: "line",
      level: 1,
      itemName: "电信",
      count: 1,
      recoverTime: null,
      content: "CPE site-1 · 电信 WAN 链路中断",
    });
    await eventually(async () => servers.mails.length > 0, "the mail");
    expect(servers.mails[0]?.to).toEqual(["noc@example.com"]);
    socket.send(edge.report({ lines: [{ ...wan, up: true }] }));
    await eventually(
      async () => (await events({ cpeId: site.id, active: 0 }, world.admin))[0],
      "it is clear",
    );
    expect(await events({ active: 1 }, world.admin)).toEqual([]);
    socket.socket.close();
  });
});

describe("without a worker beside it,", () => {
  test("a device that goes offline is one event, however many checks detect it", async () => {
    await ruleOf(await policyOf(mine, "test-once"), "node");
    await turn(mine.ids.cpeId, true);
    await turn(mine.ids.cpeId, false);
    await Promise.all([evaluate(), evaluate(), evaluate()]);
    await evaluate();
    expect(await events()).toHaveLength(1);
    await turn(mine.ids.cpeId, true);
    await evaluate();
    await evaluate();
    const [event] = await events();
    expect(event?.recoverTime).not.toBeNull();
    expect(await events()).toHaveLength(1);
  });

  test("a configuration that cannot be generated is an event with its reason, until it can", async () => {
    await ruleOf(await policyOf(mine, "test-config"), "config");
    const { cpeId } = mine.ids;
    await run(sql`delete from compile_mark`);
    await run(sql`insert into compile_mark (node_id, enterprise_id, cause, created_by, failure, failed_at)
      values (${cpeId}, ${mine.ids.groupid}, 'test', 1,
        '{"code": "tooLarge", "detail": "firewall acl ≤ 10000"}', now())`);
    await evaluate();
    const [event] = await events({ active: 1 });
    expect(event).toMatchObject({ metric: "config", cpeId, recoverTime: null });
    expect(event?.content).toMatch(
      /配置无法生成: 某项数量超过设备上限，请减少后保存 \(firewall acl ≤ 10000\)$/,
    );
    // A newer change has not been compiled yet: no one knows whether it helps.
    await run(sql`update compile_mark set failure = null, failed_at = null`);
    await evaluate();
    expect(await events({ active: 1 })).toHaveLength(1);
    await run(sql`delete from compile_mark`);
    await evaluate();
    expect(await events({ active: 1 })).toEqual([]);
    expect(await events()).toHaveLength(1);
  });

  test("a worker that ends in the middle has written nothing", async () => {
    await ruleOf(await policyOf(mine, "test-dies"), "node");
    await turn(mine.ids.cpeId, false);
    await rowsOf(sql`create function weft.end_here() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`);
    await rowsOf(sql`create trigger end_here before insert on weft.outbox for each row
      execute function weft.end_here()`);
    await receiverOf(mine, "r1").then((id) =>
      rowsOf(sql`insert into weft.alarm_strategy_receiver (enterprise_id, strategy_id, receiver_id)
        select enterprise_id, id, ${id} from weft.alarm_strategy where name = 'test-dies'`),
    );
    await expect(evaluate()).rejects.toThrow(/terminat|ECONNRESET/i);
    await rowsOf(sql`drop function weft.end_here() cascade`);
    expect(await events()).toEqual([]);
    await evaluate();
    expect(await events()).toHaveLength(1);
    expect(await messages()).toHaveLength(1);
  });

  test("twenty flaps are one event that came back nineteen times, and one notification", async () => {
    const recipientIds = await receiverOf(mine, "r2");
    const policy = await policyOf(mine, "test-flaps", { recipientIds });
    await ruleOf(policy, "node", { recovery: 60 });
    for (let flap = 0; flap < 20; flap += 1) {
      await turn(mine.ids.cpeId, true);
      await turn(mine.ids.cpeId, false);
    }
    await evaluate();
    await evaluate();
    expect(await events()).toMatchObject([{ count: 20, recoverTime: null }]);
    expect(await messages()).toHaveLength(1);
  });

  test("a POP that falls is one notification, its links are its consequence", async () => {
    const recipientIds = await receiverOf(mine, "r3", { language: "en_gb" });
    const policy = await policyOf(mine, "test-storm", { recipientIds });
    await ruleOf(policy, "node");
    await ruleOf(policy, "link", { level: 2 });
    const { popId, cpeId, groupid } = mine.ids;
    await run(sql`insert into enterprise_param (enterprise_id, expire_notice_days, timezone, log_days)
      values (${groupid}, 30, 'Asia/Kathmandu', 180)`);
    await turn(cpeId, true);
    await turn(popId, true);
    const space = newIdOf(
      await post(
        "/customer/netSpace/add",
        wireDraft("netSpace", "valid", mine.ids, { name: "storm-space" }),
      ),
    );
    for (let n = 1; n <= 30; n += 1) {
      await run(sql`with made as (insert into link (enterprise_id, space_id, index_in_space,
          a_node_id, a_slot, a_port, a_key, b_node_id, b_slot, b_port, b_key)
        values (${groupid}, ${space}, ${5_000 + n}, ${cpeId}, 1, ${41_000 + n}, ${`a${n}`},
          ${popId}, 1, ${42_000 + n}, ${`b${n}`}) returning id)
        insert into link_status (link_id, enterprise_id, up) select id, ${groupid}, false from made`);
    }
    await turn(popId, false);
    await evaluate();
    const all = await events();
    const root = all.find(({ metric }) => metric === "node");
    expect(all).toHaveLength(31);
    expect(root).toMatchObject({ childNum: 30, parentId: null });
    expect(all.filter(({ parentId }) => parentId === root?.id)).toHaveLength(30);
    const sent = await messages();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.subject).toBe("[Weft alarm] test-storm: 1 raised");
    expect(sent[0]?.body).toContain("POP alarm-mine-pop Device offline");
    expect(sent[0]?.body).toContain("30 more caused by it");
    expect(sent[0]?.body).toMatch(/since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(UTC\+5:45\)/);
    const reported = await rowsOf(sql<{ n: number }>`
      select count(*) as n from weft.message where enterprise_id = ${groupid} and type = 2`);
    expect(reported[0]?.n).toBeGreaterThan(0);
    // What ends before its cause is not notified; the end of the cause is.
    await run(sql`update link_status set up = true where enterprise_id = ${groupid}`);
    await turn(popId, true);
    await evaluate();
    expect((await messages()).map(({ subject }) => subject).at(-1)).toMatch(/: 1 cleared$/);
    expect(await events({ active: 1 })).toEqual([]);
    await run(sql`delete from link where space_id = ${space}`);
  });

  test("a loss beyond the threshold raises, and clears only beyond its hysteresis", async () => {
    const policy = await policyOf(mine, "test-loss");
    await ruleOf(policy, "loss", { compareType: 1, threshold: 5, hysteresis: 3 });
    const { popId, cpeId, groupid } = mine.ids;
    await turn(cpeId, true);
    const spaces = await rowsOf(
      sql<{ id: number }>`select id from weft.net_space where enterprise_id = ${groupid} limit 1`,
    );
    await run(sql`insert into link (enterprise_id, space_id, index_in_space, a_node_id, a_slot,
        a_port, a_key, b_node_id, b_slot, b_port, b_key)
      values (${groupid}, ${spaces[0]?.id ?? 0}, 7000, ${cpeId}, 1, 45000, 'q', ${popId}, 1, 45001, 'q')`);
    const loss = (percent: number) =>
      run(sql`insert into link_status (link_id, enterprise_id, up, loss_percent)
        select id, enterprise_id, true, ${percent}::real from link where index_in_space = 7000
        on conflict (link_id) do update set loss_percent = excluded.loss_percent, at = now()`);
    await loss(5);
    await evaluate();
    expect(await events()).toEqual([]);
    await loss(8);
    await evaluate();
    expect(await events({ active: 1 })).toMatchObject([{ metric: "loss", value: 8, threshold: 5 }]);
    await loss(3);
    await evaluate();
    expect(await events({ active: 1 })).toHaveLength(1);
    await loss(1);
    await evaluate();
    expect(await events({ active: 1 })).toEqual([]);
    await run(sql`delete from link where index_in_space = 7000`);
  });

  test("metrics of devices and lines are compared as percent", async () => {
    const policy = await policyOf(mine, "test-metrics");
    await ruleOf(policy, "cpu", { compareType: 3, threshold: 90 });
    await ruleOf(policy, "bandwidth", { compareType: 1, threshold: 80 });
    const draft = wireDraft("line", "valid", mine.ids);
    await post(line.ops.add.path, draft);
    const metrics = { rtt_ms: null, jitter_ms: null, loss_percent: null } as const;
    const measured = (cpu: number, rate: number) => ({
      latest: async (kind: string) =>
        new Map([
          [
            kind === "node" ? `${mine.ids.cpeId} ` : `${mine.ids.cpeId} wan4`,
            { ...metrics, in_rate: rate, out_rate: 0, cpu_percent: cpu, memory_percent: 10 },
          ],
        ]),
    });
    const evaluateAt = (cpu: number, rate: number) =>
      createAlarms({
        pools: world.pools,
        measures: measured(cpu, rate),
        times: at,
        report: (error) => expect(error).toBeNull(),
      }).run();
    // The line takes 100 Mbit/s down.
    await evaluateAt(89, 79_000_000);
    expect(await events()).toEqual([]);
    await evaluateAt(95, 85_000_000);
    const raised = await events({ active: 1 });
    expect(raised.map(({ metric, value }) => [metric, value]).sort()).toEqual([
      ["bandwidth", 85],
      ["cpu", 95],
    ]);
    await evaluateAt(20, 1_000_000);
    expect(await events({ active: 1 })).toEqual([]);
    // What was measured a moment ago was measured for the enterprise that the device has just left.
    const moved = (at: RawBuilder<Date>) =>
      rowsOf(sql`insert into weft.node_move (node_id, enterprise_id, at) values (${mine.ids.cpeId}, 0, ${at})
        on conflict (node_id, enterprise_id) do update set at = excluded.at`);
    await moved(sql`now()`);
    await evaluateAt(95, 85_000_000);
    expect(await events({ active: 1 })).toEqual([]);
    await moved(sql`now() - interval '1 hour'`);
    await evaluateAt(95, 85_000_000);
    expect(await events({ active: 1 })).toHaveLength(2);
    await evaluateAt(20, 1_000_000);
  });

  test("an event ends with its rule, and its policy may go", async () => {
    const policy = await policyOf(mine, "test-ends");
    const rule = await ruleOf(policy, "node");
    await turn(mine.ids.cpeId, false);
    await evaluate();
    expect(await events({ active: 1 })).toHaveLength(1);
    await post(alarmRule.ops.remove.path, { ids: rule });
    await evaluate();
    expect(await events({ active: 1 })).toEqual([]);
    expect(await post(alarmStrategy.ops.remove.path, { ids: policy })).toMatchObject({ code: 0 });
    expect(await events()).toMatchObject([{ strategyId: null, strategyName: "test-ends" }]);
  });
});

describe("who sees an event:", () => {
  test("no one in another tenant, who cannot handle it either", async () => {
    await ruleOf(await policyOf(mine, "test-secret"), "node");
    await turn(mine.ids.cpeId, false);
    await evaluate();
    const [event] = await events();
    expect(await events({}, theirs.token)).toEqual([]);
    const ids = { ids: event?.id };
    expect(await post(alarmEventHandle.path, ids, theirs.token)).toMatchObject({ data: null });
    expect((await events())[0]?.handled).toBe(0);
    expect(await post(alarmEventHandle.path, { ...ids, remark: "已派单" })).toMatchObject({
      code: 0,
    });
    expect((await events({ handled: 1 }))[0]).toMatchObject({ handleRemark: "已派单" });
    // Its first author stays.
    await post(alarmEventHandle.path, { ...ids, remark: "later" }, world.admin);
    expect((await events())[0]?.handleRemark).toBe("已派单");
  });

  test("an operator's policy is the operator's own until it is shared", async () => {
    const draft = { name: "test-shared", enable: 1, cpeIds: "", popIds: "", recipientIds: "" };
    const made = await post(alarmStrategy.ops.add.path, { ...draft, remark: "" }, world.admin);
    const policy = newIdOf(made);
    await ruleOf(policy, "node");
    await turn(mine.ids.cpeId, false);
    await evaluate();
    expect(await events()).toEqual([]);
    expect((await events({}, world.admin)).length).toBeGreaterThan(0);
    const rules = () => world.api.get(alarmRule.ops.list.path, { strategyId: policy }, mine.token);
    expect(await rules()).toMatchObject({ count: 0 });
    const share = { id: policy, share: 1 };
    expect(await post(alarmStrategyShare.path, share)).toMatchObject({ data: null });
    expect(await post(alarmStrategyShare.path, share, world.admin)).toMatchObject({ code: 0 });
    expect(await rules()).toMatchObject({ count: 1 });
    await turn(mine.ids.cpeId, true);
    await evaluate();
    await turn(mine.ids.cpeId, false);
    await evaluate();
    expect(await events({ active: 1 })).toMatchObject([{ cpeId: mine.ids.cpeId }]);
    expect(await events({ active: 1 }, theirs.token)).toEqual([]);
  });

  test("a recipient of another enterprise is refused", async () => {
    const foreign = await receiverOf(theirs, "r9");
    const draft = wireDraft("alarmStrategy", "valid", mine.ids, {
      name: "test-foreign",
      recipientIds: foreign,
    });
    const answer = await post(alarmStrategy.ops.add.path, draft);
    expect(answer.issues).toMatchObject([{ path: "recipientIds", rule: "unknown" }]);
  });
});
