/** Metrics from a device's socket to the API, over the real store. */

import {
  lineReport,
  linkReport,
  performanceReport,
} from "@weft/contract/domains/monitoring/metrics.ts";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { writePastDay } from "#demonstration/day.ts";
import type { Measures } from "#metrics-store/open.ts";
import { wholeNode } from "#metrics-store/steps.ts";
import type { LoopWorld } from "../../../../test/loop-world.ts";
import { loopWorld } from "../../../../test/loop-world.ts";
import { testMeasures, wireTime } from "../../../../test/measures.ts";

let measures: Measures;
let world: LoopWorld;

beforeAll(async () => {
  measures = await testMeasures();
  world = await loopWorld({}, measures.intake, measures.store);
}, 120_000);
afterAll(async () => {
  await world.close();
  await measures.close();
});

const range = (fromMs: number) => ({
  startTime: wireTime(Date.now() - fromMs),
  endTime: wireTime(Date.now() + 1_000),
});
const batch = (sequence: number, link: number) => ({
  type: "metrics",
  boot: "b2Zmc2V0LW9mLWEtYm9vdA",
  // The device's clock is years off: only the distance of the two counts.
  sequence,
  at: 1_000_000,
  sentAt: 1_000_200,
  dropped: 0,
  lines: [{ interfaceName: "wan1", inRate: 9_000, outRate: 3_000 }],
  links: [{ id: link, rttMs: 20, jitterMs: 1, lossPercent: 0, inRate: 10, outRate: 20 }],
  cpuPercent: 12.5,
  memoryPercent: 40,
});

const inAll = <Row>(text: RawBuilder<Row>) =>
  inScope(world.pools.apiAll, { kind: "all" }, async (trx) => (await text.execute(trx)).rows);
/** A site with one line, on `wan1`. */
const siteWithLine = async () => {
  const site = await world.addSite();
  await inAll(sql`insert into line (enterprise_id, node_id, slot, name, interface_name, addressing, mtu)
    values (1, ${site.id}, 1, 'one', 'wan1', 'dhcp', 1400)`);
  return site;
};

const link = async (a: number, b: number): Promise<number> => {
  const [row] = await inAll(sql<{ id: number }>`
      with space as (insert into net_space (enterprise_id, name, topology)
        values (1, ${`metrics ${a} ${b}`}, 0) returning id)
      insert into link (enterprise_id, space_id, index_in_space, a_node_id, a_slot, a_port, a_key,
        b_node_id, b_slot, b_port, b_key)
      select 1, id, 0, ${a}, 1, ${40_000 + b}, 'x', ${b}, 1, ${40_000 + a}, 'y' from space
      returning id`);
  return row?.id ?? 0;
};

test("what a device sends is acknowledged when it is stored, and shown with its gaps", async () => {
  const site = await siteWithLine();
  const own = await link(site.id, (await world.addSite()).id);
  const line = await (await world.enrolled(site)).connect();
  line.send(batch(1, own));
  expect(await line.next("metricsAck", 60_000)).toMatchObject({ sequence: 1 });
  line.send(batch(1, own));
  expect(await line.next("metricsAck", 60_000)).toMatchObject({ sequence: 1 });
  const query = { id: site.id, ...range(600_000) };
  const answer = await world.api.get(lineReport.path, query, world.admin);
  expect(answer.code).toBe(0);
  const { step, items } = answer.data as {
    step: number;
    items: { name: string; points: { inRate: number | null }[] }[];
  };
  expect(step).toBe(30);
  expect(items.map(({ name }) => name)).toEqual(["wan1"]);
  const rates = items[0]?.points.map(({ inRate }) => inRate) ?? [];
  expect(rates.length).toBeGreaterThan(19);
  expect(rates.filter((rate) => rate !== null)).toEqual([9_000]);
  const load = await world.api.get(performanceReport.path, query, world.admin);
  const { points } = load.data as { points: { cpu: number | null; mem: number | null }[] };
  expect(points.filter(({ cpu }) => cpu !== null)).toMatchObject([{ cpu: 12.5, mem: 40 }]);
  line.socket.close();

  const { rows } = await writePastDay(measures.store, [site.id], {
    signal: new AbortController().signal,
    patienceMs: 30_000,
  });
  expect(rows).toBeGreaterThan(3_000);
  const day = await world.api.get(
    lineReport.path,
    { id: site.id, ...range(86_400_000) },
    world.admin,
  );
  const past = (day.data as { items: { points: { inRate: number | null }[] }[] }).items[0]?.points;
  const gaps = past?.filter(({ inRate }) => inRate === null).length ?? 0;
  expect(gaps).toBeGreaterThan(8);
  expect(gaps).toBeLessThan(30);
}, 120_000);

test("the past of a device that is poor or offline since a while ends with that", async () => {
  const site = await siteWithLine();
  const own = await link(site.id, (await world.addSite()).id);
  const socket = await (await world.enrolled(site)).connect();
  socket.send(batch(1, own));
  await socket.next("metricsAck", 60_000);
  socket.socket.close();
  const hour = 3_600_000;
  const now = Date.now();
  const rtt = batch(1, own).links[0]?.rttMs ?? 0;
  await writePastDay(measures.store, [site.id], {
    signal: new AbortController().signal,
    patienceMs: 30_000,
    troubled: [{ nodeId: site.id, forMs: 4 * hour, extraRttMs: rtt / 2 }],
    left: new Map([[site.id, 2 * hour]]),
  });
  const within = async (from: number, to: number): Promise<number[]> => {
    const range = { from: now - from * hour, to: now - to * hour };
    const { items } = await measures.store.read("link", wholeNode(site.id), String(own), range);
    return [...items.values()].flat().flatMap(({ values }) => values?.rtt_ms ?? []);
  };
  const [before, meanwhile] = [await within(6, 4.5), await within(3.5, 2.2)];
  expect(before.length).toBeGreaterThan(10);
  expect(meanwhile.length).toBeGreaterThan(10);
  expect(Math.max(...before)).toBeLessThan(0.6 * rtt);
  expect(Math.min(...meanwhile)).toBeGreaterThan(0.9 * rtt);
  // Nor is there what it sent to have a past.
  expect(await within(1.9, 0)).toEqual([]);
}, 120_000);

test("metrics of others, and of nodes that do not exist, are not there", async () => {
  const site = await world.addSite();
  const token = await world.api.userToken({ enterpriseId: 1, dataScope: 2 });
  for (const { path: call } of [lineReport, performanceReport, linkReport]) {
    const foreign = await world.api.get(call, { id: site.id, ...range(60_000) }, token);
    expect(foreign.code, call).toBe(404);
    const none = await world.api.get(call, { id: 999_999, ...range(60_000) }, world.admin);
    expect(none.code, call).toBe(404);
  }
});

test("metrics of links and interfaces that are not the device's own are acknowledged, never kept", async () => {
  const [near, far, other] = [await siteWithLine(), await world.addSite(), await world.addSite()];
  const own = await link(near.id, far.id);
  const foreign = await link(far.id, other.id);
  const socket = await (await world.enrolled(near)).connect();
  const metrics = (id: number) => ({ ...batch(1, id).links[0], inRate: 5e12 });
  const line = (interfaceName: string) => ({ interfaceName, inRate: 1, outRate: 1 });
  const all = {
    links: [metrics(own), metrics(foreign), metrics(987_654)],
    lines: ["wan1", "lan1", ...Array.from({ length: 29 }, (_, at) => `made-up-${at}`)].map(line),
  };
  for (const sequence of [1, 2]) {
    socket.send({ ...batch(sequence, own), ...all });
    expect(await socket.next("metricsAck", 60_000)).toMatchObject({ sequence });
  }
  const { store } = measures;
  expect(await store.items("link", wholeNode(near.id))).toEqual([String(own)]);
  expect(await store.items("line", wholeNode(near.id))).toEqual(["wan1"]);
  const stolen = await store.pairs(
    [{ id: foreign, pair: "others", isReversed: false }],
    { from: Date.now() - 600_000, to: Date.now() + 1_000 },
    { page: 1, limit: 10 },
  );
  expect(stolen.rows).toEqual([]);
  socket.socket.close();
}, 60_000);

test("a range that ends before it starts is refused at its field", async () => {
  const { startTime: endTime, endTime: startTime } = range(60_000);
  const answer = await world.api.get(
    performanceReport.path,
    { id: 1, startTime, endTime },
    world.admin,
  );
  expect(answer).toMatchObject({ code: 400, issues: [{ path: "endTime" }] });
});
