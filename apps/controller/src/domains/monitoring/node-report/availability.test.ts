/** Up, down and unknown time from the log of transitions: gaps are never counted as up. */

import { availability } from "@weft/contract/domains/monitoring/node-report.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { wireTime } from "../../../../test/measures.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";
import { stepOf } from "./availability.ts";

let api: TestApi;
let home: Tenant;
let other: Tenant;
let lineId: number;

/** Two hours ago, on the hour: the range has ended. */
const start = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 7_200_000;
const minutes = (count: number) => new Date(start + count * 60_000);
const hour = { startTime: wireTime(minutes(0)), endTime: wireTime(minutes(60)) };

beforeAll(async () => {
  api = await testApi();
  const admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
  const draft = wireDraft("line", "valid", home.ids, { interfaceName: "wan7" });
  lineId = newIdOf(await api.post("/customer/line/add", draft, home.token));
}, 60_000);
afterAll(() => api.close());
beforeEach(() => sql`delete from transition`.execute(api.database.pools.owner.db));

const turn = (kind: "node" | "line", at: number, up: boolean) =>
  sql`insert into transition (enterprise_id, kind, node_id, name, up, at)
    values (${home.ids.groupid}, ${kind}, ${home.ids.cpeId},
      ${kind === "line" ? "wan7" : null}, ${up}, ${minutes(at)})`.execute(
    api.database.pools.owner.db,
  );

interface Found {
  readonly percent: number | null;
  readonly up: number;
  readonly down: number;
  readonly unknown: number;
  readonly outages: number;
  readonly step: number;
  readonly buckets: { time: string; up: number; down: number; unknown: number }[];
}
const find = async (query: object = {}, token = home.token): Promise<Found> => {
  const asked = { kind: "node", id: home.ids.cpeId, ...hour, ...query };
  const answer = await api.get(availability.path, asked, token);
  expect(answer.code, JSON.stringify(answer)).toBe(0);
  return answer.data as Found;
};

describe("endpoints:availability.find", () => {
  test("nothing is known about an object without transitions", async () => {
    expect(await find()).toMatchObject({
      percent: null,
      up: 0,
      down: 0,
      unknown: 3_600,
      outages: 0,
      step: 300,
    });
  });

  test("the state before the range applies at its start", async () => {
    await turn("node", -600, true);
    expect(await find()).toMatchObject({ percent: 100, up: 3_600, unknown: 0, outages: 0 });
  });

  test("time before the first transition is unknown and not part of the percentage", async () => {
    await turn("node", 20, true);
    await turn("node", 40, false);
    await turn("node", 50, true);
    const found = await find();
    expect(found).toMatchObject({ up: 1_800, down: 600, unknown: 1_200, percent: 75, outages: 1 });
    expect(found.buckets).toHaveLength(12);
    expect(found.buckets[0]).toEqual({
      time: wireTime(minutes(0)),
      up: 0,
      down: 0,
      unknown: 300,
    });
    expect(found.buckets[8]).toMatchObject({ up: 0, down: 300, unknown: 0 });
  });

  test("nothing is known about a line while its device is offline", async () => {
    await turn("node", -5, true);
    await turn("line", -4, true);
    await turn("node", 15, false);
    await turn("node", 30, true);
    await turn("line", 45, false);
    const found = await find({ kind: "line", id: lineId });
    expect(found).toMatchObject({ up: 1_800, down: 900, unknown: 900, outages: 1 });
    expect(found.percent).toBeCloseTo(200 / 3, 6);
  });

  test("a range that has not ended ends now", async () => {
    await turn("node", -5, true);
    const before = Date.now();
    const found = await find({ endTime: wireTime(minutes(24 * 60)) });
    const after = Date.now();
    expect(found.unknown).toBe(0);
    expect(found.up).toBeGreaterThan((before - start) / 1_000 - 1);
    expect(found.up).toBeLessThan((after - start) / 1_000 + 1);
    const later = { startTime: wireTime(minutes(600)), endTime: wireTime(minutes(660)) };
    expect(await find(later)).toMatchObject({ percent: null, buckets: [] });
  });

  test("objects of others are not found, and the history of a shared device stays its owner's", async () => {
    await turn("node", -5, true);
    for (const query of [
      { kind: "link", id: 987_654 },
      { kind: "line", id: lineId },
      { kind: "node", id: home.ids.cpeId },
    ]) {
      const asked = { ...query, ...hour };
      expect(await api.get(availability.path, asked, other.token)).toMatchObject({ code: 404 });
    }
  });
});

test("a strip has at most 96 buckets, of a common width", () => {
  const of = (hours: number) =>
    stepOf({ startTime: new Date(0), endTime: new Date(hours * 3_600_000) });
  expect([1, 24, 168, 720, 8_760].map(of)).toEqual([300, 900, 7_200, 86_400, 604_800]);
});
