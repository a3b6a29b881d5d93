import { line } from "@weft/contract/domains/devices/line.ts";
import { availability } from "@weft/contract/domains/monitoring/node-report.ts";
import { alarmRule, alarmStrategy } from "@weft/contract/domains/notifications/alarm.ts";
import { alarmEventList } from "@weft/contract/domains/notifications/alarm-event.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../test/api.ts";
import { wireTime } from "../../test/measures.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../test/tenants.ts";
import { writePastTransitions } from "./past-transitions-store.ts";

const minute = 60_000;
const now = Date.now();
const away = { from: now - 320 * minute, to: now - 265 * minute };

let api: TestApi;
let tenant: Tenant;
let lineId: number;
beforeAll(async () => {
  api = await testApi();
  const admin = await api.logIn("admin");
  tenant = await makeTenant(api, admin, "past");
  const post = (path: string, fields: object) => api.post(path, fields, tenant.token);
  const own = { interfaceName: "wan1", slot: 1 };
  lineId = newIdOf(await post(line.ops.add.path, wireDraft("line", "valid", tenant.ids, own)));
  const policy = { name: "away", enable: 1, remark: "", cpeIds: "", popIds: "", recipientIds: "" };
  const strategyId = newIdOf(
    await post(alarmStrategy.ops.add.path, { ...policy, groupid: tenant.ids.groupid }),
  );
  const rule = { metric: "node", level: 1, duration: 30, hysteresis: 0, recovery: 60, enable: 1 };
  newIdOf(await post(alarmRule.ops.add.path, { ...rule, strategyId }));
  await sql`update node_status set online = true, last_seen = now(),
    lines = '[{"interfaceName": "wan1", "up": false}]'
    where node_id = ${tenant.ids.cpeId}`.execute(api.database.pools.owner.db);
}, 60_000);
afterAll(() => api.close());

test("a device of the demonstration has a week behind it, with an outage and its alarm", async () => {
  const nodeId = tenant.ids.cpeId;
  const options = { now, away: { nodeId, ...away } };
  expect(await writePastTransitions(api.database.pools.owner.db, options)).toBe(5);
  const range = { startTime: wireTime(now - 7 * 1_440 * minute), endTime: wireTime(now - minute) };
  const found = async (kind: string, id: number) => {
    const answer = await api.get(availability.path, { kind, id, ...range }, tenant.token);
    return answer.data as { up: number; down: number; unknown: number; outages: number };
  };
  const device = await found("node", nodeId);
  expect(device).toMatchObject({ unknown: 0, outages: 1 });
  expect(device.down).toBeCloseTo(55 * 60, -1);
  // It is down now, and has been for some hours.
  const wan = await found("line", lineId);
  expect(wan.outages).toBe(1);
  expect(wan.down).toBeGreaterThan(2 * 3_600);
  expect(wan.down).toBeLessThan(10 * 3_600);

  const events = await api.get(alarmEventList.path, { cpeId: nodeId }, tenant.token);
  expect(events.data).toMatchObject([{ metric: "node", level: 1, handled: 1 }]);
  const [event] = events.data as { createTime: string; recoverTime: string }[];
  expect(event?.createTime).toBe(wireTime(away.from + 30_000));
  expect(event?.recoverTime).toBe(wireTime(away.to + 60_000));
});
