/** A site that loses packets over minutes: from the messages of its device to every screen. */

import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { healthCounts } from "@weft/contract/domains/devices/health.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { consoleNumbers } from "@weft/contract/domains/monitoring/console-numbers.ts";
import { neighborReport } from "@weft/contract/domains/monitoring/node-report.ts";
import { searchFind } from "@weft/contract/domains/monitoring/search.ts";
import { siteOverview } from "@weft/contract/domains/monitoring/site-overview.ts";
import { wallboardData } from "@weft/contract/domains/monitoring/wallboard.ts";
import { workplace } from "@weft/contract/domains/monitoring/workplace.ts";
import { alarmEventList } from "@weft/contract/domains/notifications/alarm-event.ts";
import { circuit } from "@weft/contract/domains/overlay/circuit.ts";
import { linkList } from "@weft/contract/domains/overlay/link.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { topAllInfo, topSingle } from "@weft/contract/domains/overlay/topology.ts";
import { sql, type Transaction } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { createChangeReader } from "#domains/delivery/publish/read-changes.ts";
import { returnMs } from "#domains/devices/presence/public.ts";
import { createAlarms } from "#domains/notifications/alarm/public.ts";
import { keepMeasures, renewLinkQuality } from "#domains/overlay/link/public.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { wireTime } from "../../../../test/measures.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";
import { readFacts, renewHealth } from "./public.ts";

let api: TestApi;
let home: Tenant;
let siteId = 0;
const popIds: number[] = [];
let links: number[] = [];

const name = "南通码头";
const minuteMs = 60_000;
/** What the four links of the site lose, in turn: between 2.6 and 4.1 %. */
const losses = [4.1, 3.9, 3.3, 2.6];

const pools = () => api.database.pools;
const add = async (path: string, kind: Parameters<typeof wireDraft>[0], replaced: object) =>
  newIdOf(await api.post(path, wireDraft(kind, "valid", home.ids, replaced), home.token));
const run = (query: ReturnType<typeof sql>) => query.execute(pools().owner.db);
const get = async ({ path }: { readonly path: string }, query: object = {}) => {
  const answer = await api.get(path, query, home.token);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as never;
};
const asWorker = <T>(work: (trx: Transaction<Database>) => Promise<T>) =>
  inScope(pools().worker, { kind: "enterprises", ids: [], userId: null, ownOnly: false }, work);
const probe = (at: Date, loss: (index: number) => number) =>
  keepMeasures(
    pools(),
    links.map((id, index) => ({
      node: siteId,
      ageMs: 0,
      isOutdated: false,
      isRepeated: false,
      turn: 1,
      link: {
        id,
        up: true,
        rttMs: 60,
        jitterMs: 1,
        inRate: 0,
        outRate: 0,
        lossPercent: loss(index),
      },
    })),
    at,
  );
const alarms = () =>
  createAlarms({
    pools: pools(),
    times: { windowMs: 0, gapMs: 0, graceMs: 0 },
    renew: renewHealth,
    report: (error) => expect(error).toBeNull(),
  });
const kept = async () =>
  (
    await sql<{ link_id: number; since: Date }>`
      select link_id, since from link_quality order by link_id`.execute(pools().owner.db)
  ).rows;

beforeAll(async () => {
  api = await testApi();
  home = await makeTenant(api, await api.logIn("admin"), "harbour");
  for (const at of [1, 2]) {
    const popId = await add(pop.ops.add.path, "pop", { name: `POP-${at}`, sn: `POP-${at}` });
    const own = { nodeId: popId, slot: 1, interfaceName: "wan1", reachable: 1, isp: "telecom" };
    await add(line.ops.add.path, "line", { ...own, ip: `198.51.100.${at + 1}/24` });
    popIds.push(popId);
  }
  siteId = await add(cpe.ops.add.path, "cpe", { alias: name, sn: "harbour-1" });
  for (const slot of [1, 2]) {
    const own = { nodeId: siteId, slot, interfaceName: `wan${slot}`, reachable: 0, isp: "telecom" };
    await add(line.ops.add.path, "line", { ...own, ip: `198.51.${100 + slot}.10/24` });
  }
  await add(netSpace.ops.add.path, "netSpace", {
    name: "net",
    topology: 0,
    popIds: popIds.join(),
    cpeIds: String(siteId),
  });
  const nodes = [...popIds, siteId];
  for (const node of nodes) {
    const key = Buffer.from(`k${node}`.padEnd(32, ".")).toString("base64");
    await run(sql`insert into node_status (node_id, enterprise_id, tunnel_key, online, last_seen)
      select id, enterprise_id, ${key}, true, now() from node where id = ${node}`);
    await run(sql`insert into node_identity (enterprise_id, node_id, sn, public_key, state, address)
      select enterprise_id, id, sn, sn, 'approved', '192.0.2.9' from node where id = ${node}`);
  }
  await run(sql`insert into change (enterprise_id, node_ids, cause, created_by)
    values (${home.ids.groupid}, ${nodes}::bigint[], 'test', 1)`);
  const reader = createChangeReader(pools(), pino({ level: "silent" }));
  while ((await reader.run()) > 0);
  // What the reader would find changes nothing here.
  await run(sql`delete from node_state`);
  const rows = (await get(linkList, { page: 1, limit: 100, nodeId: siteId })) as { id: number }[];
  links = rows.map(({ id }) => id).sort((one, two) => one - two);
  expect(links).toHaveLength(4);
}, 120_000);
afterAll(() => api.close());

test("a site that loses 2.6 to 4.1 % on all links is degraded with its sentence, on every screen", async () => {
  const now = Date.now();
  const samples = 20 * 4;
  const seen: number[] = [];
  for (let index = samples; index >= 0; index -= 1) {
    await probe(new Date(now - index * 15_000), (at) => losses[(at + index) % 4] ?? 0);
    await asWorker((trx) => renewLinkQuality(trx, [siteId]));
    const found = await kept();
    // From then on, without a break.
    if (found.length > 0 || seen.length > 0) seen.push(found.length);
  }
  expect(seen.length).toBeGreaterThan(60);
  expect(new Set(seen)).toEqual(new Set([4]));
  const since = (await kept())[0]?.since.getTime() ?? 0;
  expect(now - since).toBeGreaterThan(18 * minuteMs);

  await asWorker((trx) => renewHealth(trx, [siteId]));
  const health = {
    health: "poor",
    healthDetail: {
      count: 4,
      of: 4,
      name: "wan1",
      excess: { metric: "loss", value: expect.any(Number), limit: 1 },
    },
  };
  const range = { startTime: wireTime(now - 60 * minuteMs), endTime: wireTime(now) };
  const list = (await get(cpe.ops.list, { page: 1, limit: 10, tone: "warn" })) as {
    alias: string;
    healthSince: string;
  }[];
  expect(list).toMatchObject([{ alias: name, linksPoor: 4, ...health }]);
  expect(Date.parse(`${list[0]?.healthSince.replace(" ", "T")}Z`)).toBe(since - (since % 1_000));
  expect(await get(healthCounts, { classType: "cpe" })).toMatchObject({ warn: 1, ok: 0 });
  const page = (await get(siteOverview, { id: siteId, ...range })) as { links: object[] };
  expect(page).toMatchObject({ node: health });
  const excess = { metric: "loss", limit: 1 };
  expect(page.links).toMatchObject(Array(4).fill({ up: true, excess }));
  const picture = (await get(topAllInfo)) as {
    nodes: { id: number }[];
    links: { excess: unknown }[];
  };
  expect(picture.nodes.find(({ id }) => id === siteId)).toMatchObject(health);
  expect(picture.links.filter((one) => one.excess !== null)).toMatchObject(
    Array(4).fill({ status: 1, excess }),
  );
  const causes = [{ kind: "node", state: "poor", detail: health.healthDetail, named: [{ name }] }];
  expect(await get(workplace)).toMatchObject({ causes });
  expect(await get(wallboardData)).toMatchObject({ causes });
  expect(await get(searchFind, { text: name })).toMatchObject([{ name, ...health }]);
  const trouble = (await get(linkList, {
    page: 1,
    limit: 10,
    trouble: 1,
    status: 1,
  })) as object[];
  expect(trouble).toHaveLength(4);
}, 120_000);

test("its alarm stays open at the same loss despite single samples, and is part of its health", async () => {
  const strategy = newIdOf(
    await api.post(
      "/customer/alarmStrategy/add",
      wireDraft("alarmStrategy", "valid", home.ids, { name: "loss", cpeIds: "", popIds: "" }),
      home.token,
    ),
  );
  const rule = { metric: "loss", level: 3, duration: 0, recovery: 0, enable: 1 };
  const limit = { compareType: 1, threshold: 2, hysteresis: 1 };
  newIdOf(
    await api.post(
      "/customer/alarmRule/add",
      { ...rule, ...limit, strategyId: strategy },
      home.token,
    ),
  );
  const open = async () =>
    (await get(alarmEventList, { page: 1, limit: 10, active: 1, metric: "loss" })) as object[];
  await probe(new Date(), (at) => losses[at] ?? 0);
  await alarms().run();
  expect(await open()).toHaveLength(4);
  await probe(new Date(), () => 0);
  await alarms().run();
  expect(await open()).toHaveLength(4);
  // The links themselves do well for long: what is left is that alarms are open.
  await run(sql`delete from link_quality`);
  await run(sql`update link_status set past_loss = '{1.5,1.5}'`);
  await alarms().run();
  const [site] = (await get(cpe.ops.list, { page: 1, limit: 10 })) as object[];
  expect(site).toMatchObject({ health: "poor" });
  await run(sql`update link_status set past_loss = '{0.2,0.2,0.2}'`);
  await alarms().run();
  expect(await open()).toHaveLength(0);
  await run(sql`update alarm_event set cleared_at = null, closed_at = null, value = 3.9
    where id = (select min(id) from alarm_event where metric = 'loss')`);
  await asWorker((trx) => renewHealth(trx, [siteId]));
  const [called] = (await get(cpe.ops.list, { page: 1, limit: 10 })) as object[];
  expect(called).toMatchObject({
    health: "alarm",
    healthDetail: { alarm: { metric: "loss", value: 3.9, limit: 2 } },
  });
});

test("time without a running gateway is no fault of links and devices until they had time to reconnect", async () => {
  await run(sql`delete from alarm_event`);
  await run(sql`delete from gateway_process`);
  const called = async () => {
    await asWorker((trx) => renewHealth(trx, [siteId]));
    const [site] = (await get(cpe.ops.list, { page: 1, limit: 10 })) as { health: string }[];
    const { causes } = (await get(workplace)) as { causes: { kind: string }[] };
    return [site?.health, causes.length];
  };
  await probe(new Date(), () => 0);
  const isWell = ["online", 0];
  expect(await called()).toEqual(isWell);
  // The controller was away for ten minutes, and has just come back, before its gateway does.
  await run(sql`update link_status set at = now() - interval '10 minutes'`);
  expect(await called()).toEqual(isWell);
  await run(sql`insert into gateway_process (id, addresses, started_at, seen_at) values
    -- The one before was killed a moment before this one started.
    (gen_random_uuid(), '{wss://x}', now() - interval '1 day', now() - interval '80 seconds'),
    (gen_random_uuid(), '{wss://x}', now() - interval '70 seconds', now())`);
  expect(await called()).toEqual(isWell);
  await run(sql`update gateway_process set started_at = started_at - interval '2 minutes'`);
  expect(await called()).toEqual(["cutOff", 1]);
});

test("lists, counts and maps show no unobserved link as down, and the same links down as health does", async () => {
  await run(sql`delete from alarm_event`);
  const [popId] = popIds;
  await add(circuit.ops.add.path, "xwanCircuit", { sourceId: siteId, targetId: popId });
  const paged = { page: 1, limit: 100 };
  const now = Date.now();
  const range = { startTime: wireTime(now - 60 * minuteMs), endTime: wireTime(now) };
  type Rows<Field extends string> = readonly Readonly<Record<Field, number>>[];
  const sum = <Field extends string>(rows: Rows<Field>, field: Field): number =>
    rows.reduce((all, row) => all + Number(row[field]), 0);
  /** Links of the site that are up: by screen. */
  const upBy = async (): Promise<Record<string, number>> => {
    await asWorker((trx) => renewHealth(trx, [siteId]));
    const beside = { ...paged, nodeId: siteId };
    const picture: { nodes: Rows<"linksUp">; links: Rows<"status"> } = await get(topAllInfo);
    const single: { node: { linksUp: number }; lines: Rows<"status"> } = await get(topSingle, {
      cpeId: siteId,
    });
    const page: { node: { linksUp: number }; links: Rows<"up"> } = await get(siteOverview, {
      id: siteId,
      ...range,
    });
    const numbers: { linkUp: number } = await get(consoleNumbers);
    const { counts, heat }: { counts: { linkUp: number }; heat: { cells: Rows<"down"> } } =
      await get(workplace);
    const [site]: { health: string }[] = await get(cpe.ops.list, paged);
    const facts = await asWorker((trx) => readFacts(trx, [siteId]));
    return {
      health: facts[0]?.linksUp ?? -1,
      healthState: site?.health === "online" ? 4 : 0,
      list: sum(await get(linkList, beside), "status"),
      listOfUp: ((await get(linkList, { ...beside, status: 1 })) as object[]).length,
      listOfDown: 4 - ((await get(linkList, { ...beside, status: 0 })) as object[]).length,
      listOfTrouble: 4 - ((await get(linkList, { ...beside, trouble: 1 })) as object[]).length,
      cpes: sum(await get(cpe.ops.list, paged), "linksUp"),
      pops: sum(await get(pop.ops.list, paged), "linksUp"),
      spaces: sum(await get(netSpace.ops.list, paged), "linksUp"),
      neighbours: sum(await get(neighborReport, { id: siteId }), "linksUp"),
      // Two of the four end at the POP of the circuit, and each link has two ends in the picture.
      circuits: 2 * sum(await get(circuit.ops.list, paged), "linksUp"),
      pictureNodes: sum(picture.nodes, "linksUp") / 2,
      pictureLinks: sum(picture.links, "status"),
      single: single.node.linksUp,
      singleLinks: sum(single.lines, "status"),
      page: page.node.linksUp,
      pageLinks: sum(page.links, "up"),
      numbers: numbers.linkUp,
      counts: counts.linkUp,
      heat: heat.cells.length === 0 || sum(heat.cells, "down") === 0 ? 4 : 0,
    };
  };
  const all = async (up: number) => {
    const found = await upBy();
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((screen) => [screen, up])));
  };
  const startedAgo = (ms: number) =>
    run(
      sql`update gateway_process set started_at = now() - ${ms} * interval '1 ms', seen_at = 'infinity'`,
    );
  await probe(new Date(), () => 0);
  await startedAgo(10 * returnMs);
  await all(4);
  // The controller was away, and has just come back: the device has not yet.
  await run(sql`update link_status set at = now() - interval '10 minutes'`);
  await startedAgo(returnMs - 60_000);
  await all(4);
  const stale = (await get(linkList, { ...paged, nodeId: siteId })) as object[];
  expect(stale).toMatchObject(Array(4).fill({ delay: null, loss: null, inRate: null }));
  // It had its time.
  await startedAgo(returnMs + 1_000);
  await all(0);
  // A device that was away before is not called back by a start of the controller.
  await startedAgo(0);
  await run(sql`update node_status set online = false where node_id = ${siteId}`);
  await all(0);
  await run(sql`update node_status set online = true`);
});

test("the worker waits for devices as long as links are not called down for them", async () => {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from weft.return_time()) * 1000)::int as ms`.execute(pools().owner.db);
  expect(rows).toEqual([{ ms: returnMs }]);
});

test("a site whose links nothing has measured yet comes up, and is cut off two minutes after its first configuration", async () => {
  await run(sql`delete from alarm_event`);
  await run(sql`delete from link_status`);
  await run(sql`insert into node_state (node_id, epoch, serial, enterprise_id, sections, digest,
      outcome, cause, created_by, ended_at)
    select id, 1, 1, enterprise_id, '{}', 'd', 'confirmed', 'cpe', 1, now() from node
    where id = ${siteId}`);
  const called = async () => {
    await asWorker((trx) => renewHealth(trx, [siteId]));
    const [site] = (await get(cpe.ops.list, { page: 1, limit: 10 })) as { health: string }[];
    return site?.health;
  };
  expect(await called()).toBe("comingUp");
  await run(sql`update node_state set ended_at = now() - interval '3 minutes'`);
  expect(await called()).toBe("cutOff");
});
