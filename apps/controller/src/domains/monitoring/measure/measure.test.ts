/** Figures from a box's socket to the API, over the real store. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  lineReport,
  linkReport,
  performanceReport,
} from "@weft/contract/domains/monitoring/measures.ts";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writePastDay } from "#controller/demonstration/day.ts";
import { type Measures, openMeasures } from "#measures/open.ts";
import type { LoopWorld } from "../../../../test/loop-world.ts";
import { loopWorld } from "../../../../test/loop-world.ts";

let folder: string;
let measures: Measures;
let world: LoopWorld;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "weft-measures-"));
  const logger = pino({ level: "silent" });
  measures = openMeasures({
    ...{ clickhouseUrl: undefined, dataDir: folder, demonstration: false, logger },
  });
  expect(await measures.ready(60_000)).toBe(true);
  world = await loopWorld({}, measures.intake, measures.store);
}, 120_000);
afterAll(async () => {
  await world.close();
  await measures.close();
  await rm(folder, { recursive: true, force: true });
});

const wire = (at: number): string => new Date(at).toISOString().slice(0, 19).replace("T", " ");
const range = (fromMs: number) => ({
  startTime: wire(Date.now() - fromMs),
  endTime: wire(Date.now() + 1_000),
});
const batch = (sequence: number) => ({
  type: "batch",
  boot: "b2Zmc2V0LW9mLWEtYm9vdA",
  // The box's clock is years off: only the distance of the two counts.
  ...{ sequence, at: 1_000_000, sentAt: 1_000_200, dropped: 0 },
  lines: [{ interfaceName: "wan1", inRate: 9_000, outRate: 3_000 }],
  links: [{ id: 5, rttMs: 20, jitterMs: 1, lossPercent: 0, inRate: 10, outRate: 20 }],
  ...{ cpuPercent: 12.5, memoryPercent: 40 },
});

test("what a box sends is acknowledged when it is stored, and shown with its gaps", async () => {
  const site = await world.addSite();
  const line = await (await world.enrolled(site)).connect();
  line.send(batch(1));
  expect(await line.next("batchKept", 20_000)).toMatchObject({ sequence: 1 });
  line.send(batch(1));
  expect(await line.next("batchKept", 20_000)).toMatchObject({ sequence: 1 });
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

test("figures of others, and of nobody, are not there", async () => {
  const site = await world.addSite();
  const token = await world.api.userToken({ enterpriseId: 1, dataScope: 2 });
  for (const { path: call } of [lineReport, performanceReport, linkReport]) {
    const foreign = await world.api.get(call, { id: site.id, ...range(60_000) }, token);
    expect(foreign.code, call).toBe(404);
    const none = await world.api.get(call, { id: 999_999, ...range(60_000) }, world.admin);
    expect(none.code, call).toBe(404);
  }
});

test("a range that ends before it starts is refused at its field", async () => {
  const { startTime: endTime, endTime: startTime } = range(60_000);
  const answer = await world.api.get(
    performanceReport.path,
    { id: 1, startTime, endTime },
    world.admin,
  );
  expect(answer).toMatchObject({ code: 400, issues: [{ path: "endTime" }] });
});
