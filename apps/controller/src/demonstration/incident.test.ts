import { line } from "@weft/contract/domains/devices/line.ts";
import { siteOverview } from "@weft/contract/domains/monitoring/site-overview.ts";
import { alarmRule, alarmStrategy } from "@weft/contract/domains/notifications/alarm.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../test/api.ts";
import { wireTime } from "../../test/measures.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../test/tenants.ts";
import { incident } from "./fleet.ts";
import { writeIncident } from "./incident.ts";

let api: TestApi;
let tenant: Tenant;
const run = (query: ReturnType<typeof sql>) => query.execute(api.database.pools.owner.db);

beforeAll(async () => {
  api = await testApi();
  const admin = await api.logIn("admin");
  tenant = await makeTenant(api, admin, "slow");
  const { groupid, cpeId, popId } = tenant.ids;
  const own = { interfaceName: "wan1", slot: 1, upBandwidth: incident.upBandwidth };
  newIdOf(await api.post(line.ops.add.path, wireDraft("line", "valid", tenant.ids, own), admin));
  const policy = { name: "loss", enable: 1, remark: "", cpeIds: "", popIds: "", recipientIds: "" };
  const strategyId = newIdOf(
    await api.post(alarmStrategy.ops.add.path, { ...policy, groupid }, admin),
  );
  const rule = { metric: "loss", level: 3, duration: 60, hysteresis: 2, recovery: 60, enable: 1 };
  newIdOf(
    await api.post(
      alarmRule.ops.add.path,
      { ...rule, strategyId, compareType: 1, threshold: 5 },
      admin,
    ),
  );
  await run(sql`with space as (insert into net_space (enterprise_id, name, topology)
      values (${groupid}, 'slow', 0) returning id), made as (
    insert into link (enterprise_id, space_id, index_in_space, a_node_id, a_slot, a_port, a_key,
      b_node_id, b_slot, b_port, b_key)
    select ${groupid}, id, 0, ${cpeId}, 1, 40001, 'x', ${popId}, 1, 40002, 'y' from space returning id)
    insert into link_status (link_id, enterprise_id, up, rtt_ms, jitter_ms, loss_percent, at, changed_at)
    select id, ${groupid}, true, 20, 2, 8, now(), now() from made`);
  await run(sql`insert into node_state (node_id, epoch, serial, enterprise_id, sections, digest, outcome,
      cause, created_by)
    select ${cpeId}, 1, serial, ${groupid}, '{}', 'd', 'confirmed', 'system: enrolled', 0
    from generate_series(1, 2) as serial`);
  await run(sql`insert into node_health (node_id, enterprise_id, state, rank, tone, since)
    values (${cpeId}, ${groupid}, 'poor', 7, 'warn', now())
    on conflict (node_id) do update set state = 'poor', tone = 'warn', since = now()`);
}, 60_000);
afterAll(() => api.close());

const minuteMs = 60_000;

test("the change precedes its configuration, that the alarm, and health shows the start time", async () => {
  const signal = new AbortController().signal;
  const { cpeId } = tenant.ids;
  await writeIncident(api.database.pools.owner.db, { nodeId: cpeId, signal });
  const wire = (ms: number): string => wireTime(Date.now() + ms);
  const range = {
    startTime: wire(-incident.minutes * minuteMs - 30 * minuteMs),
    endTime: wire(-minuteMs),
  };
  const answer = await api.get(siteOverview.path, { id: cpeId, ...range }, tenant.token);
  expect(answer).toMatchObject({ code: 0 });
  const { marks, node } = answer.data as OutputOf<typeof siteOverview>;
  const morning = Date.now() - (incident.minutes - 10) * minuteMs;
  const first = marks.filter(
    ({ from }) => Date.parse(`${String(from).replace(" ", "T")}Z`) < morning,
  );
  expect(first.map(({ kind }) => kind)).toEqual(["change", "delivery", "alarm"]);
  expect(first[0]?.text[0]).toContain("WAN 链路");
  expect(first[1]?.text).toEqual(first[0]?.text);
  expect(first[2]).toMatchObject({ level: 3, to: null });
  const since = Date.parse(`${String(node.healthSince).replace(" ", "T")}Z`);
  expect(Math.abs(Date.now() - incident.minutes * minuteMs - since)).toBeLessThan(5 * minuteMs);
});
