/** A device whose reports change again and again: how often that reaches its peers. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, type Tenant } from "../../../../test/tenants.ts";
import { type Device, keepReport, openPresences, releaseReports } from "./store.ts";

let api: TestApi;
let tenant: Tenant;
let device: Device;
let epoch: number;
beforeAll(async () => {
  api = await testApi();
  tenant = await makeTenant(api, await api.logIn("admin"), "restless");
  const { cpeId: node, groupid: enterpriseId } = tenant.ids;
  device = { node, enterpriseId, sn: "SN", publicKey: "key" };
  const opened = [{ device, gateway: "gateway", address: "192.0.2.1" }];
  [epoch = 0] = await openPresences(api.database.pools, opened, {});
}, 120_000);
afterAll(() => api.close());

const reports = (key: string, address: string | null = null): Promise<boolean | "replaced"> => {
  const report: MessageFromEdge<"report"> = {
    type: "report",
    version: "1",
    serialNumber: "SN",
    running: null,
    capabilities: [],
    tunnelKeys: [{ id: "k1", publicKey: key }],
    lines:
      address === null ? [] : [{ interfaceName: "wan1", addressing: "dhcp", address, up: true }],
  };
  return keepReport(api.database.pools, device, epoch, report);
};

/** Changes that peers are compiled for. */
async function changes(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from change where cause = 'edge: report'
      and ${device.node} = any (node_ids)`.execute(api.database.pools.apiAll.db);
  return rows[0]?.n ?? 0;
}

const set = (values: ReturnType<typeof sql>): Promise<unknown> =>
  sql`update node_status set ${values} where node_id = ${device.node}`.execute(
    api.database.pools.apiAll.db,
  );
/** Far ahead, so that the time that the test takes shortens no pause. */
const actedLast = () => set(sql`news_at = now() + interval '1 hour'`);
const longAgo = () => set(sql`news_at = now() - interval '601 seconds'`);
const isDue = () => set(sql`news_due_at = now()`);

/** Seconds from the last change that acted to the one that waits; null: none waits. */
async function pause(): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from news_due_at - news_at)::int as seconds from node_status
    where node_id = ${device.node}`.execute(api.database.pools.apiAll.db);
  return rows[0]?.seconds ?? null;
}

const released = () => releaseReports(api.database.pools);

test("its first change acts at once, the next ones after 5, 30 and 300 seconds, and quiet starts it afresh", async () => {
  // The first key of all makes its tunnels, and counts for nothing.
  expect(await reports("first")).toBe(true);
  expect(await reports("second")).toBe(true);
  expect(await changes()).toBe(2);
  for (const [turn, seconds] of [5, 30, 300, 300].entries()) {
    await actedLast();
    for (let flap = 0; flap < 20; flap += 1) expect(await reports(`${turn} ${flap}`)).toBe(false);
    expect(await pause()).toBe(seconds);
    expect(await released()).toEqual([]);
    await isDue();
    expect(await released()).toEqual([{ node: device.node, pauses: turn + 1 }]);
    expect(await changes()).toBe(3 + turn);
  }
  // Nothing waits any more: what was reported last has acted.
  expect(await pause()).toBe(null);
  await longAgo();
  expect(await reports("after")).toBe(true);
});

test("addresses of its lines never wait for longer than 5 seconds", async () => {
  await longAgo();
  expect(await reports("after", "192.0.2.1")).toBe(true);
  for (let turn = 1; turn <= 4; turn += 1) {
    await actedLast();
    expect(await reports("after", `192.0.2.${turn + 1}`)).toBe(false);
    expect(await pause()).toBe(5);
    await isDue();
    expect(await released()).toHaveLength(1);
  }
});
