/** Metrics of an enterprise's lines, over the real store. */

import { line } from "@weft/contract/domains/devices/line.ts";
import {
  enterpriseLineList,
  enterpriseLineReport,
} from "@weft/contract/domains/monitoring/enterprise-report.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Measures } from "#metrics-store/open.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { testMeasures, wireTime } from "../../../../test/measures.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";

let measures: Measures;
let api: TestApi;
let [mine, theirs] = [] as unknown as [Tenant, Tenant];
let lineId: number;
const minute = 60_000;
const start = Math.floor(Date.now() / minute) * minute - 10 * minute;

beforeAll(async () => {
  measures = await testMeasures();
  api = await testApi(undefined, undefined, measures.store);
  const admin = await api.logIn("admin");
  mine = await makeTenant(api, admin, "report-mine");
  theirs = await makeTenant(api, admin, "report-theirs");
  const draft = wireDraft("line", "valid", mine.ids, { interfaceName: "wan1" });
  lineId = newIdOf(await api.post(line.ops.add.path, draft, mine.token));
}, 180_000);
afterAll(async () => {
  await api.close();
  await measures.close();
});

const ask = ({ token }: Tenant, query: object = {}) =>
  api.get(
    enterpriseLineReport.path,
    {
      groupid: mine.ids.groupid,
      lineId,
      startTime: wireTime(start),
      endTime: wireTime(start + 5 * minute),
      ...query,
    },
    token,
  );

test("endpoints:enterpriseReport.line shows what was measured, and gaps as gaps", async () => {
  const { rows } = await listed(mine);
  const own = rows.find(({ id }) => id === lineId);
  expect(own).toMatchObject({ interfaceName: "wan1", linkStatus: 0 });
  await measures.store.insert([
    {
      kind: "line",
      node_id: own?.cpeId ?? 0,
      item: "wan1",
      at: start + minute,
      boot: "b",
      sequence: 1,
      in_rate: 9_000,
      out_rate: 3_000,
    },
  ]);
  const answer = await ask(mine);
  expect(answer).toMatchObject({ code: 0 });
  const points = answer.data as { inRate: number | null; outRate: number | null }[];
  expect(points.length).toBeGreaterThan(4);
  expect(points.filter(({ inRate }) => inRate !== null)).toMatchObject([
    { inRate: 9_000, outRate: 3_000, delay: null, loss: null },
  ]);
});

async function listed({ token }: Tenant) {
  const answer = await api.get(enterpriseLineList.path, { groupid: mine.ids.groupid }, token);
  expect(answer).toMatchObject({ code: 0 });
  return { rows: answer.data as { id: number; cpeId: number }[], count: answer.count };
}

test("a line of another tenant or under another enterprise is answered like a missing one", async () => {
  expect(await listed(theirs)).toEqual({ rows: [], count: 0 });
  for (const answer of [
    await ask(theirs),
    await ask(mine, { lineId: 987_654_321 }),
    await ask(mine, { groupid: theirs.ids.groupid }),
  ]) {
    expect(answer).toMatchObject({ code: 404 });
  }
});

test("a range that ends before it starts is refused", async () => {
  expect(await ask(mine, { endTime: wireTime(start - minute) })).toMatchObject({
    code: 400,
    issues: [{ path: "endTime", rule: "notAllowed" }],
  });
});
