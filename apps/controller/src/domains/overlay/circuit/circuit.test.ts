/** Circuits over the real stores: what an end may be, and metrics from links to reports. */

import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import {
  circuit,
  circuitBytes,
  circuitReport,
  circuitReportAll,
  circuitReportByEnterprise,
} from "@weft/contract/domains/overlay/circuit.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import type { Measures } from "#metrics-store/open.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { testMeasures, wireTime } from "../../../../test/measures.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";

interface Point {
  readonly inRate: number | null;
  readonly outRate: number | null;
  readonly delay?: number | null;
  readonly loss?: number | null;
}

let measures: Measures;
let api: TestApi;
let home: Tenant;
let other: Tenant;
let circuitId: number;

const range = () => ({
  startTime: wireTime(Date.now() - 600_000),
  endTime: wireTime(Date.now() + 1_000),
});
const ask = async <Row>(call: string, query: object, who = home): Promise<Row[]> => {
  const answer = await api.get(call, query, who.token);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as Row[];
};
const measuredOnly = (points: readonly Point[]) =>
  points.filter(({ inRate, outRate }) => inRate !== null || outRate !== null);
const add = (who: Tenant, replaced: object = {}) =>
  api.post(circuit.ops.add.path, wireDraft("xwanCircuit", "valid", who.ids, replaced), who.token);

beforeAll(async () => {
  measures = await testMeasures();
  api = await testApi(undefined, undefined, measures.store);
  const admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
  circuitId = newIdOf(await add(home));
  const { groupid, cpeId, popId } = home.ids;
  const members = { popIds: String(popId), cpeIds: String(cpeId) };
  const draft = wireDraft("netSpace", "valid", home.ids, members);
  const space = newIdOf(await api.post(netSpace.ops.add.path, draft, home.token));
  // The first is called by the circuit's source, the second by its target.
  const ends = [
    [1, cpeId, popId],
    [2, popId, cpeId],
  ] as const;
  const at = Date.now() - 120_000;
  for (const [slot, a, b] of ends) {
    const id = await inScope(api.database.pools.apiAll, { kind: "all" }, async (trx) => {
      const { rows } = await sql<{ id: number }>`
        insert into link (enterprise_id, space_id, index_in_space, a_node_id, a_slot, a_port, a_key,
          b_node_id, b_slot, b_port, b_key)
        values (${groupid}, ${space}, ${slot}, ${a}, ${slot}, ${20_000 + slot}, 'a', ${b}, ${slot},
          ${30_000 + slot}, 'b') returning id`.execute(trx);
      return rows[0]?.id ?? 0;
    });
    const metrics = { in_rate: 1_000 * slot, out_rate: 100 * slot, rtt_ms: 10 * slot };
    await measures.store.insert([
      { kind: "link", node_id: a, item: String(id), at, boot: "boot", sequence: slot, ...metrics },
      // Another link of the same node, which is no part of the circuit.
      { kind: "link", node_id: a, item: "987654", at, boot: "boot", sequence: slot, in_rate: 9e9 },
    ]);
  }
}, 120_000);
afterAll(async () => {
  await api.close();
  await measures.close();
});

test("endpoints:xwanCircuit.report adds up the links between the ends, each seen from the source", async () => {
  const points = await ask<Point>(circuitReport.path, { id: circuitId, ...range() });
  expect(points.length).toBeGreaterThan(19);
  // 1,000 in and 100 out by the first; by the second, seen from the other end, 200 in and 2,000 out.
  expect(measuredOnly(points)).toMatchObject([
    { inRate: 1_200, outRate: 2_100, delay: 20, loss: null },
  ]);
});

test("endpoints:xwanCircuit.reportAll endpoints:xwanCircuit.reportByEnterprise a link of two circuits counts once", async () => {
  newIdOf(await add(home, { name: "second" }));
  const all = measuredOnly(await ask<Point>(circuitReportAll.path, range()));
  expect(all).toMatchObject([{ inRate: 3_000, outRate: 300 }]);
  const { groupid } = home.ids;
  const own = await ask<Point>(circuitReportByEnterprise.path, { groupid, ...range() });
  expect(measuredOnly(own)).toMatchObject([{ inRate: 3_000, outRate: 300 }]);
});

test("endpoints:xwanCircuit.byteListByGroup rates become bytes of their step, and others' are none", async () => {
  const { groupid } = home.ids;
  interface Volume {
    readonly inBytes: number | null;
    readonly outBytes: number | null;
  }
  const asked = { groupid, ...range() };
  const some = (rows: readonly Volume[]) => rows.filter(({ inBytes }) => inBytes !== null);
  // 3,000 bit/s over 30 s.
  expect(some(await ask<Volume>(circuitBytes.path, asked))).toMatchObject([
    { inBytes: 11_250, outBytes: 1_125 },
  ]);
  expect((await ask<Volume>(circuitBytes.path, { groupid })).length).toBeGreaterThan(100);
  expect(some(await ask<Volume>(circuitBytes.path, asked, other))).toEqual([]);
  const foreign = await api.get(circuitReport.path, { id: circuitId, ...range() }, other.token);
  expect(foreign).toMatchObject({ code: 404 });
});

test("a circuit that has no link between its ends has no metrics, and none are made up", async () => {
  const id = newIdOf(await add(other));
  expect(await ask<Point>(circuitReport.path, { id, ...range() }, other)).toEqual([]);
});

test("an end is a CPE of the circuit's own enterprise, and its lines carry the bandwidth", async () => {
  const foreign = await add(home, { name: "foreign", sourceId: other.ids.cpeId });
  const absent = await add(home, { name: "foreign", sourceId: 987_654 });
  expect(foreign).toMatchObject({ code: 400, issues: [{ path: "sourceId", rule: "unknown" }] });
  expect(foreign.issues).toEqual(absent.issues);
  const own = wireDraft("line", "valid", home.ids, { nodeId: home.ids.cpeId, upBandwidth: 5_000 });
  newIdOf(await api.post("/customer/line/add", own, home.token));
  const narrow = await add(home, { name: "narrow" });
  expect(narrow).toMatchObject({
    code: 400,
    issues: [{ path: "bandwidth", rule: "outOfRange", params: { max: 5_000 } }],
  });
  const held = await api.post(cpe.ops.remove.path, { ids: other.ids.cpeId }, other.token);
  expect(held.code).not.toBe(0);
});
