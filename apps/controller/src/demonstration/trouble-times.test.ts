import { line } from "@weft/contract/domains/devices/line.ts";
import { alarmRule, alarmStrategy } from "@weft/contract/domains/notifications/alarm.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../test/api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../test/tenants.ts";
import { cpes, minutesOf } from "./fleet.ts";
import { pastTransitions } from "./past-transitions.ts";
import { beganOf, dateTroublesOnce } from "./trouble-times.ts";

const minute = 60_000;
const now = Date.now();
const since = (minutes: number): number => now - minutes * minute;

let api: TestApi;
let tenant: Tenant;
const rules = new Map<string, number>();
const run = async <Row>(query: ReturnType<typeof sql<Row>>): Promise<readonly Row[]> =>
  (await query.execute(api.database.pools.owner.db)).rows;

beforeAll(async () => {
  api = await testApi();
  const admin = await api.logIn("admin");
  tenant = await makeTenant(api, admin, "trouble");
  const { groupid, cpeId, popId } = tenant.ids;
  const own = { interfaceName: "wan1", slot: 1 };
  newIdOf(await api.post(line.ops.add.path, wireDraft("line", "valid", tenant.ids, own), admin));
  const policy = { name: "all", enable: 1, remark: "", cpeIds: "", popIds: "", recipientIds: "" };
  const strategyId = newIdOf(
    await api.post(alarmStrategy.ops.add.path, { ...policy, groupid }, admin),
  );
  for (const metric of ["line", "link", "finding", "loss"]) {
    const limit = metric === "loss" ? { compareType: 1, threshold: 5 } : {};
    const rule = { metric, level: 2, duration: 60, hysteresis: 0, recovery: 60, enable: 1 };
    const id = newIdOf(
      await api.post(alarmRule.ops.add.path, { ...rule, ...limit, strategyId }, admin),
    );
    rules.set(metric, id);
  }
  await run(sql`with space as (insert into net_space (enterprise_id, name, topology)
      values (${groupid}, 'trouble', 0) returning id), made as (
    insert into link (enterprise_id, space_id, index_in_space, a_node_id, a_slot, a_port, a_key,
      b_node_id, b_slot, b_port, b_key)
    select ${groupid}, id, 0, ${cpeId}, 1, 40001, 'x', ${popId}, 1, 40002, 'y' from space returning id)
    insert into link_status (link_id, enterprise_id, up, at, changed_at)
    select id, ${groupid}, false, now(), now() from made`);
  await run(sql`insert into alarm_watch (rule_id, node_id, item, enterprise_id, phase, since, seen, at, due_at)
    select r.id, ${cpeId}, case r.metric when 'line' then 'wan1' when 'finding' then 'acl'
      else (select max(id)::text from link) end, ${groupid}, case r.metric when 'finding' then 'pending'
      else 'open' end, now(), 0, now(), case when r.metric = 'finding' then now() + interval '1 minute' end
    from alarm_rule r where r.strategy_id = ${strategyId}`);
  await run(sql`insert into alarm_event (enterprise_id, strategy_id, strategy_name, rule_id, metric, level,
      node_id, node_kind, node_name, item, opened_at, last_at)
    select ${groupid}, ${strategyId}, 'all', w.rule_id, r.metric, 2, ${cpeId}, 'cpe', 'x', w.item, now(), now()
    from alarm_watch w join alarm_rule r on r.id = w.rule_id where w.phase = 'open'`);
  await run(sql`insert into node_health (node_id, enterprise_id, state, rank, tone, since)
    values (${cpeId}, ${groupid}, 'degraded', 7, 'warn', now())
    on conflict (node_id) do update set state = 'degraded', tone = 'warn', since = now()`);
}, 60_000);
afterAll(() => api.close());

/** Minutes before now, rounded. */
const ago = (at: Date): number => Math.max(0, Math.round((now - at.getTime()) / minute));

test("alarms, links and health began when their cause did, and a moment of loss did not", async () => {
  const { cpeId } = tenant.ids;
  const options = {
    began: [
      { nodeId: cpeId, item: "wan1", at: since(200) },
      { nodeId: cpeId, item: null, at: since(90) },
    ],
    poor: [],
    started: since(5),
    signal: new AbortController().signal,
  };
  await dateTroublesOnce(api.database.pools.owner.db, options);
  const events = await run(sql<{ metric: string; opened_at: Date; raised_at: Date }>`
    select metric, opened_at, raised_at from alarm_event where node_id = ${cpeId}`);
  const began = Object.fromEntries(events.map((one) => [one.metric, ago(one.opened_at)]));
  expect(began).toEqual({ line: 200, link: 200, loss: 0 });
  for (const event of events.filter(({ metric }) => metric !== "loss"))
    expect(event.raised_at.getTime() - event.opened_at.getTime()).toBe(minute);
  // One that has not opened yet opens with the time that it has now, at once.
  const [pending] = await run(sql<{ since: Date; due_at: Date }>`
    select since, due_at from alarm_watch where rule_id = ${rules.get("finding") ?? 0}`);
  expect(ago(pending?.since ?? new Date())).toBe(90);
  expect(pending?.due_at.getTime()).toBeLessThanOrEqual(Date.now());
  const [link] = await run(sql<{ changed_at: Date }>`select changed_at from link_status`);
  expect(ago(link?.changed_at ?? new Date())).toBe(200);
  const [health] = await run(sql<{ since: Date }>`
    select since from node_health where node_id = ${cpeId}`);
  expect(ago(health?.since ?? new Date())).toBe(200);
  // The second pass finds nothing that is younger than the start.
  const later = { ...options, began: options.began.map((one) => ({ ...one, at: since(1_000) })) };
  await dateTroublesOnce(api.database.pools.owner.db, later);
  const again = await run(sql<{ opened_at: Date }>`
    select opened_at from alarm_event where node_id = ${cpeId} and metric = 'line'`);
  expect(again.map((one) => ago(one.opened_at))).toEqual([200]);
});

test("what is wrong is dated before anything of it is reported, as the past that is drawn later has it", () => {
  const ids = new Map(cpes.map(({ name }, index) => [name, index + 1]));
  const began = beganOf(ids, now);
  const nodes = cpes.map(({ name, character: { deadLines = [] } = {} }, index) => ({
    id: index + 1,
    kind: "cpe" as const,
    name,
    lines: deadLines.map((interfaceName) => ({ slot: 1, interfaceName, up: false })),
  }));
  const leaving = cpes.flatMap(({ name, character }, index) =>
    character?.leaves ? [[index + 1, now - minutesOf(name) * minute] as const] : [],
  );
  const { outages } = pastTransitions(nodes, [], { now, away: null, left: new Map(leaving) });
  const lasting = outages
    .filter(({ to }) => to === null)
    .map(({ nodeId, line: fallen, from }) => [nodeId, fallen?.interfaceName ?? "", from]);
  expect(lasting.length).toBeGreaterThan(2);
  expect(
    began.flatMap(({ nodeId, item, at }) => (item === null ? [] : [[nodeId, item, at]])),
  ).toEqual(lasting);
});
