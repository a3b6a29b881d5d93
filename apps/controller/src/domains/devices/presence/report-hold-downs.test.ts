/** Devices that report changes in turn: what that costs the POP that tenants share, and who is named for it. */

import { allResources, type ResourceName } from "@weft/contract/all-endpoints.ts";
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { findingText } from "@weft/contract/domains/delivery/finding-text.ts";
import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { alarmRule, alarmStrategy } from "@weft/contract/domains/notifications/alarm.ts";
import { alarmEventList } from "@weft/contract/domains/notifications/alarm-event.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createChangeReader, createCompiler } from "#domains/delivery/publish/public.ts";
import { createAlarms } from "#domains/notifications/alarm/public.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";
import { type Device, keepReport, openPresences, releaseReports } from "./store.ts";

const logger = pino({ level: "silent" });

interface Site extends Device {
  readonly epoch: number;
}

let api: TestApi;
let admin: string;
let made = 0;
let pop: number;
let restless: Site[];
let beside: Site;

const run = <Row>(query: ReturnType<typeof sql<Row>>) => query.execute(api.database.pools.owner.db);
const add = async (name: ResourceName, groupid: number, replaced: object): Promise<number> => {
  made += 1;
  const draft = wireDraft(name, "valid", { groupid, cpeId: 1, popId: 1 }, replaced);
  return newIdOf(await api.post(allResources[name].ops.add.path, draft, admin));
};
const addLine = (nodeId: number) =>
  add("line", 1, {
    nodeId,
    slot: 1,
    ip: `198.51.100.${made}/24`,
    gateway: "198.51.100.254",
  });

/** @returns the epoch of a socket of the device */
async function opened(device: Device): Promise<number> {
  const sockets = [{ device, gateway: "gateway", address: "192.0.2.1" }];
  const [epoch = 0] = await openPresences(api.database.pools, sockets, {});
  return epoch;
}

async function addSite(enterpriseId: number): Promise<Site> {
  const sn = `SITE-${made}`;
  const node = await add("cpe", enterpriseId, { sn, alias: sn });
  await addLine(node);
  const device = { node, enterpriseId, sn, publicKey: sn };
  return { ...device, epoch: await opened(device) };
}

/** What changes and marks lead to, as the worker does it. */
async function settle(): Promise<void> {
  const { pools } = api.database;
  const reader = createChangeReader(pools, logger);
  while ((await reader.run()) > 0);
  const compiler = createCompiler(pools, logger, () => undefined);
  while ((await compiler.run()) === 0);
}

async function popStates(): Promise<number> {
  await settle();
  const { rows } = await run(
    sql<{ n: number }>`select count(*)::int as n from weft.node_state where node_id = ${pop}`,
  );
  return rows[0]?.n ?? 0;
}

const keyOf = (text: string): string => Buffer.from(text.padEnd(32, ".")).toString("base64");
const reports = (site: Site, key: string | null, address: string | null = null) => {
  const lines = [{ interfaceName: "wan4", addressing: "dhcp" as const, address, up: true }];
  const report: MessageFromEdge<"report"> = {
    type: "report",
    version: "1",
    serialNumber: site.sn,
    running: null,
    capabilities: [],
    tunnelKeys: key === null ? [] : [{ id: "k1", publicKey: keyOf(key) }],
    lines: address === null ? [] : lines,
  };
  return keepReport(api.database.pools, site, site.epoch, report);
};

/** Sets when the last changes acted at the POP, and how often in a row those of the tenant did. */
const actedAt = (when: ReturnType<typeof sql>, turns = 1) =>
  run(sql`update weft.report_hold_down set acted_at = ${when},
    turns = case when enterprise_id is null then turns else ${turns} end`);
/** Far ahead: the time that the test takes opens nothing. */
const ahead = sql`now() + interval '1 hour'`;
const longAgo = sql`now() - interval '1 hour'`;
const allQuiet = async () => {
  await run(sql`update weft.node_status set news_at = null, news_due_at = null, news_pauses = 0`);
  await run(sql`delete from weft.report_hold_down`);
};
const allDue = () =>
  run(sql`update weft.node_status set news_due_at = now() where news_due_at is not null`);
const released = async () =>
  (await releaseReports(api.database.pools)).map(({ node }) => Number(node));

/** Seconds that what a site reported waits for the POP. */
async function heldFor({ node }: Site): Promise<number | null> {
  const { rows } = await run(sql<{ seconds: number | null }>`
    select extract(epoch from s.news_due_at - (select max(acted_at) from weft.report_hold_down))::int
      as seconds from weft.node_status s where s.node_id = ${node}`);
  return rows[0]?.seconds ?? null;
}

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  const tenant = (name: string) => add("enterprise", 1, { name, parentId: 1 });
  const [first, second] = [await tenant("restless"), await tenant("beside")];
  pop = await add("pop", 1, { name: "shared", sn: "SHARED-POP" });
  await addLine(pop);
  const shared = { node: pop, enterpriseId: 1, sn: "SHARED-POP", publicKey: "pop" };
  const epoch = await opened(shared);
  restless = [];
  for (let at = 0; at < 5; at += 1) restless.push(await addSite(first));
  beside = await addSite(second);
  const space = (groupid: number, sites: readonly Site[]) =>
    add("netSpace", groupid, {
      name: `space-${groupid}`,
      topology: 0,
      popIds: pop,
      cpeIds: sites.map(({ node }) => node).join(),
    });
  await space(first, restless);
  await space(second, [beside]);
  for (const site of [{ ...shared, epoch }, ...restless, beside]) {
    expect(await reports(site, site.sn)).toBe(true);
  }
  await settle();
  const { rows } = await run(
    sql<{ n: number }>`select count(*)::int as n from weft.link where b_node_id = ${pop}`,
  );
  expect(rows[0]?.n).toBe(6);
}, 120_000);
afterAll(() => api.close());
beforeEach(allQuiet);

test("devices of one tenant that change in turn act at their POP together, with what they reported last", async () => {
  const [one, ...others] = restless as [Site, ...Site[]];
  const before = await popStates();
  expect(await reports(one, "turn")).toBe(true);
  expect(await popStates()).toBe(before + 1);
  await actedAt(ahead);
  for (let turn = 0; turn < 5; turn += 1) {
    for (const site of others) expect(await reports(site, `${site.sn} ${turn}`)).toBe(false);
  }
  await allDue();
  // Their own pauses are over; that of the tenant is not.
  expect(await released()).toEqual([]);
  await allDue();
  await actedAt(longAgo);
  expect(await released()).toEqual(others.map(({ node }) => node));
  expect(await popStates()).toBe(before + 2);
  const { rows } = await run(sql<{ tunnel_key: string }>`
    select tunnel_key from weft.node_status where node_id = ${others[0]?.node} `);
  expect(rows).toEqual([{ tunnel_key: keyOf(`${others[0]?.sn} 4`) }]);
});

test("a tenant waits longer at a POP the more often it changes there, and for addresses five seconds at most", async () => {
  const [one, two] = restless as [Site, Site];
  expect(await reports(one, "first")).toBe(true);
  const held = async (site: Site, ...given: [string, string?]) => {
    await run(sql`update weft.node_status set news_at = null, news_due_at = null
      where node_id = ${site.node}`);
    expect(await reports(site, ...given)).toBe(false);
    return heldFor(site);
  };
  // The bound of all tenants together is two seconds.
  for (const [at, seconds] of [2, 2, 2, 5, 10, 20, 30, 30].entries()) {
    await actedAt(ahead, at + 1);
    expect(await held(two, `turn ${at}`)).toBe(seconds);
    expect(await held(two, `turn ${at}`, `192.0.2.${at + 1}`)).toBe(Math.min(seconds, 5));
  }
});

test("what another tenant saves and reports does not wait for it", async () => {
  const [one] = restless as [Site];
  expect(await reports(one, "again")).toBe(true);
  const before = await popStates();
  await actedAt(ahead, 7);
  const lan = wireDraft(
    "lansection",
    "valid",
    { groupid: beside.enterpriseId, cpeId: beside.node, popId: pop },
    { interfaceName: "lan1", network: "10.81.1.1/24", network6: "" },
  );
  newIdOf(await api.post(lanSection.ops.add.path, lan, admin));
  expect(await popStates()).toBe(before + 1);
  await run(
    sql`update weft.report_hold_down set acted_at = ${longAgo} where enterprise_id is null`,
  );
  expect(await reports(beside, "moved")).toBe(true);
  expect(await popStates()).toBe(before + 2);
});

test("a device that takes its key back and reports it again is not new", async () => {
  const [one] = restless as [Site];
  expect(await reports(one, null)).toBe(true);
  for (let turn = 0; turn < 10; turn += 1) {
    expect(await reports(one, `back ${turn}`)).toBe(false);
    expect(await reports(one, null)).toBe(false);
  }
});

test("the device that is put off again and again has an alarm until it is quiet", async () => {
  const [one, two] = restless as [Site, Site];
  const ids = { groupid: 1, cpeId: one.node, popId: pop };
  const policy = wireDraft("alarmStrategy", "valid", ids, {
    name: "reports",
    cpeIds: "",
    popIds: "",
  });
  const strategyId = newIdOf(await api.post(alarmStrategy.ops.add.path, policy, admin));
  const rule = { metric: "finding", level: 1, duration: 0, recovery: 0, enable: 1 };
  newIdOf(await api.post(alarmRule.ops.add.path, { strategyId, ...rule }, admin));
  const alarmed = async (): Promise<(number | null)[]> => {
    const { pools } = api.database;
    const report = (error: unknown): void => expect(error).toBeNull();
    const alarms = createAlarms({ pools, times: { windowMs: 0, gapMs: 0, graceMs: 0 }, report });
    await run(sql`insert into weft.alarm_due (node_id, enterprise_id)
      select id, enterprise_id from weft.node where id in (${one.node}, ${two.node})`);
    await alarms.run();
    const query = { active: 1, page: 1, limit: 100 };
    const { data } = await api.get(alarmEventList.path, query, admin);
    return (data as OutputOf<typeof alarmEventList>[number][])
      .filter((event) => event.metric === "finding" && /反复变化/.test(event.content))
      .map(({ cpeId }) => cpeId);
  };
  const found = async ({ node }: Site) => {
    const { data } = await api.get(nodeState.path, { id: node }, admin);
    return (data as OutputOf<typeof nodeState>).findings;
  };
  expect(await reports(one, "act")).toBe(true);
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await found(one)).toEqual([]);
    expect(await reports(one, `alarm ${turn}`)).toBe(false);
    await allDue();
    await actedAt(longAgo);
    expect(await released()).toEqual([one.node]);
  }
  const [finding, ...more] = await found(one);
  expect(more).toEqual([]);
  expect(finding).toMatchObject({ kind: "device", object: one.sn, reason: "reportsFlap" });
  if (finding === undefined) return;
  expect(findingText(finding, "zh_cn")).toMatch(/反复变化/);
  expect(findingText(finding, "en_gb")).toMatch(/again and again/);
  expect(await found(two)).toEqual([]);
  expect(await alarmed()).toEqual([one.node]);
  await run(sql`update weft.node_status set news_at = now() - interval '601 seconds'
    where node_id = ${one.node}`);
  expect(await released()).toEqual([]);
  expect(await found(one)).toEqual([]);
  expect(await alarmed()).toEqual([]);
});
