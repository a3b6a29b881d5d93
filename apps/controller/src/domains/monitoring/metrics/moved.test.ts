/** Metrics of a CPE that moved to another enterprise: each enterprise reads those of its own time. */

import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { logFlow } from "@weft/contract/domains/monitoring/flow-log.ts";
import { lineReport, performanceReport } from "@weft/contract/domains/monitoring/metrics.ts";
import { aclRule } from "@weft/contract/domains/policies/acl-rule.ts";
import { hitReport, hitSummary } from "@weft/contract/domains/policies/policy-hits.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Measures } from "#metrics-store/open.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { testMeasures, wireTime } from "../../../../test/measures.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let measures: Measures;
let api: TestApi;
let admin: string;
let site: number;
let lineId: number;
let rule: number;
/** Enterprises with a person each; `above` sees the other two. */
let above: { id: number; token: string };
let former: { id: number; token: string };
let owner: { id: number; token: string };

const hour = 3_600_000;
const now = Date.now();
/** In the middle of a second, a minute and an hour: roll-ups have both enterprises' metrics in one row. */
const moveAt = Math.floor((now - 3 * hour) / hour) * hour + 30 * 60_000 + 30_500;
/** What the former enterprise's device measured: no value, and no mean or sum with these, is small. */
const high = 8e15;
/** Each read out of another table of the metrics store. */
const ranges = {
  raw: { startTime: wireTime(moveAt - hour), endTime: wireTime(moveAt + hour) },
  minutes: { startTime: wireTime(moveAt - 4 * hour), endTime: wireTime(now) },
  hours: { startTime: wireTime(now - 30 * 24 * hour), endTime: wireTime(now) },
};
/** Of the former enterprise up to the last moment, of the present one from the next moment on. */
const times = {
  former: [moveAt - 20 * 60_000, moveAt - 40_000, moveAt - 100],
  owner: [moveAt + 600, moveAt + 40_000, moveAt + 40 * 60_000, now - 60_000],
};

const moveTo = (groupid: number) => {
  const named = { alias: "moves", sn: "MOVES" };
  const draft = wireDraft("cpe", "valid", { groupid, cpeId: 1, popId: 1 }, named);
  return api.post(cpe.ops.edit.path, { ...draft, id: site, groupid }, admin);
};
/** What a device reported then; its line and its rule have the same names in both enterprises. */
const report = (rate: number, percent: number, at: number) => {
  const row = { node_id: site, at, boot: "b", sequence: at % 1e9 };
  return measures.store.insert([
    { ...row, kind: "node", item: "", cpu_percent: percent, memory_percent: percent },
    { ...row, kind: "line", item: "wan1", in_rate: rate, out_rate: rate },
    {
      ...row,
      kind: "line",
      item: rate === high ? "secret0" : "wan2",
      in_rate: rate,
      out_rate: rate,
    },
    { ...row, kind: "hit", item: `xaclrules ${rule}`, hits: rate },
  ]);
};

beforeAll(async () => {
  measures = await testMeasures();
  api = await testApi(undefined, undefined, measures.store);
  admin = await api.logIn("admin");
  const enterprise = async (name: string, parentId: number) => {
    const draft = wireDraft(
      "enterprise",
      "valid",
      { groupid: 1, cpeId: 0, popId: 0 },
      {
        name,
        parentId,
      },
    );
    const id = newIdOf(await api.post("/customer/enterprise/add", draft, admin));
    return { id, token: await api.userToken({ enterpriseId: id, dataScope: 3 }) };
  };
  above = await enterprise("above", 1);
  former = await enterprise("former", above.id);
  owner = await enterprise("owner", above.id);
  const ids = { groupid: former.id, cpeId: 0, popId: 0 };
  const named = { alias: "moves", sn: "MOVES" };
  site = newIdOf(await api.post(cpe.ops.add.path, wireDraft("cpe", "valid", ids, named), admin));
  expect(await moveTo(owner.id)).toMatchObject({ code: 0 });
  const own = { groupid: owner.id, cpeId: site, popId: 0 };
  const wan = wireDraft("line", "valid", own, { interfaceName: "wan1" });
  lineId = newIdOf(await api.post(line.ops.add.path, wan, admin));
  const acl = wireDraft("xaclrules", "valid", own);
  rule = newIdOf(await api.post(aclRule.ops.add.path, acl, admin));
  await sql`update weft.node_move set at = ${new Date(moveAt)} where node_id = ${site}`.execute(
    api.database.pools.owner.db,
  );
  for (const at of times.former) await report(high, 99, at);
  for (const at of times.owner) await report(100, 1, at);
}, 120_000);
afterAll(async () => {
  await api.close();
  await measures.close();
});

type Points = { [value: string]: number | string | null }[];
const series = async (token: string, range: object) => {
  const asked = { id: site, ...range };
  const lines = await api.get(lineReport.path, asked, token);
  const load = await api.get(performanceReport.path, asked, token);
  expect([lines.code, load.code]).toEqual([0, 0]);
  const { items } = lines.data as { items: { points: Points }[] };
  const { points } = load.data as { points: Points };
  const values = (all: Points, name: string) =>
    all.flatMap((point) => (point[name] === null ? [] : [point[name] as number]));
  return { rates: values(items[0]?.points ?? [], "inRate"), cpu: values(points, "cpu") };
};

test.each(Object.entries(ranges))(
  "out of %s the new enterprise reads what was measured since the move, and nothing of before",
  async (_, range) => {
    const { rates, cpu } = await series(owner.token, range);
    expect(rates.length).toBeGreaterThan(0);
    expect(new Set(rates)).toEqual(new Set([100]));
    expect(new Set(cpu)).toEqual(new Set([1]));
  },
);

test.each(Object.entries(ranges))(
  "out of %s whoever sees both enterprises reads what was measured in both",
  async (_, range) => {
    for (const token of [above.token, admin]) {
      const { rates, cpu } = await series(token, range);
      expect(Math.max(...rates)).toBeGreaterThan(1e14);
      expect(Math.max(...cpu)).toBeGreaterThan(1);
    }
  },
);

test("the interfaces that are listed are those that were measured since the move", async () => {
  const list = async (token: string) => {
    const { data } = await api.get(logFlow.cardlist.path, { cpeId: site }, token);
    return (data as { cardId: string }[]).map(({ cardId }) => cardId);
  };
  expect(await list(owner.token)).toEqual(["wan1", "wan2"]);
  expect(await list(above.token)).toEqual(["secret0", "wan1", "wan2"]);
});

test("hits of rules count since the move", async () => {
  const asked = { family: "xaclrules", ids: String(rule) };
  const ofOwner = await api.get(hitSummary.path, asked, owner.token);
  expect(ofOwner.data).toMatchObject([{ count: 100 * times.owner.length - 100 }]);
  const ofAbove = await api.get(hitSummary.path, asked, above.token);
  expect((ofAbove.data as { count: number }[])[0]?.count).toBeGreaterThan(high);
  const over = { family: "xaclrules", id: rule, ...ranges.raw };
  const { data } = await api.get(hitReport.path, over, owner.token);
  expect(Math.max(...(data as { points: { count: number }[] }).points.map((p) => p.count))).toBe(
    100,
  );
});

test("no call shows the new enterprise anything that was measured before the move", async () => {
  const ids = { id: site, cpeId: site, nCpeID: site, nodeId: site, ids: site, popId: site, lineId };
  const more = { groupid: owner.id, page: 1, limit: 100, cardId: "secret0", kind: "node" };
  const shows = async (call: string, token: string): Promise<boolean> => {
    const { code, data } = await api.get(call, { ...ids, ...more, ...ranges.minutes }, token);
    const text = JSON.stringify(data ?? null);
    // Figures of rates, bytes and hits; means and sums of them as well.
    const figures = text.match(/-?\d+(\.\d+)?(e\+?\d+)?(?=[,\]}])/g) ?? [];
    return (
      code === 0 && (figures.some((figure) => Number(figure) > 1e13) || text.includes("secret0"))
    );
  };
  const reads = allEndpoints.filter(({ method }) => method === "GET").map(({ path: call }) => call);
  const leaks = async (token: string): Promise<string[]> => {
    const seen: string[] = [];
    for (const call of reads) if (await shows(call, token)) seen.push(call);
    return seen;
  };
  expect(await leaks(owner.token)).toEqual([]);
  // The same question finds them where they may be read.
  const shown = await leaks(above.token);
  expect(shown).toEqual(expect.arrayContaining([lineReport.path, logFlow.cpebyte.path]));
  expect(shown.length).toBeGreaterThan(8);
}, 240_000);
