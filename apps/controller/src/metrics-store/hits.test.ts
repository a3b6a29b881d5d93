/** Hits of rules on the real engine: they add up, at every width, and also in tables of an earlier release. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EmbeddedEngine } from "./embedded.ts";
import { rowsOf } from "./intake.ts";
import { statements } from "./schema.ts";
import { wholeNode } from "./steps.ts";
import { createStore, type MeasureStore } from "./store.ts";

const hour = 3_600_000;
const day = 24 * hour;
const now = Math.floor(Date.now() / hour) * hour;

/** Tables as they were before there were hits. */
const earlier = statements
  .filter((text) => text.startsWith("create"))
  .map((text) =>
    [
      ", 'hit' = 4",
      ",\n  hits Float64 codec(ZSTD)",
      ",\n  hits SimpleAggregateFunction(sum, Float64)",
      ",\n  sum(m.hits) as hits",
    ].reduce((rest, part) => rest.replace(part, ""), text),
  );

let folder: string;
let engine: EmbeddedEngine;
let store: MeasureStore;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "weft-hits-"));
  engine = await new Promise<EmbeddedEngine>((resolve) => {
    const opened = (): void => resolve(made);
    const made = new EmbeddedEngine({ folder, logger: pino({ level: "silent" }), opened });
  });
  expect(earlier.join("\n")).not.toContain("hit");
  for (const statement of earlier) await engine.command(statement);
  await engine.insert("measure", [
    { kind: "node", node_id: 1, item: "", at: "2026-01-01 00:00:00.000", boot: "b", sequence: 1 },
  ]);
  store = createStore(engine);
  await store.migrate();
}, 60_000);
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

const message = (sequence: number, count: number) => ({
  type: "metrics" as const,
  boot: "b",
  sequence,
  at: 0,
  sentAt: 0,
  dropped: 0,
  lines: [],
  links: [],
  cpuPercent: 1,
  memoryPercent: 2,
  hits: [{ family: "xaclrules", id: 4, count }],
});
const reported = (node: number, ago: number, count: number) =>
  store.insert(rowsOf(node, message(1, count), now - ago));

test("hits of an object add up over its devices, with the time of the last ones", async () => {
  await reported(1, 90_000, 7);
  await reported(1, 75_000, 5);
  await reported(2, 2 * hour, 30);
  await reported(2, 3 * day, 1_000);
  const asked = { from: now - day, to: now };
  const of = async (nodes: readonly number[]) =>
    store.hits.totals(nodes.map(wholeNode), ["xaclrules 4"], asked);
  expect([...(await of([1, 2]))]).toEqual([["xaclrules 4", { count: 42, lastAt: now - 120_000 }]]);
  expect([...(await of([2]))]).toEqual([["xaclrules 4", { count: 30, lastAt: now - 2 * hour }]]);
  expect([...(await of([3]))]).toEqual([]);
  expect([...(await of([]))]).toEqual([]);
});

test.each([
  ["minutes", 10 * 60_000, 12],
  ["hours", 5 * hour, 42],
  ["weeks", 30 * day, 1_042],
])("over %s every bucket is there, and none of the hits is lost", async (_, ms, sum) => {
  const { stepSeconds, points } = await store.hits.series([1, 2].map(wholeNode), "xaclrules 4", {
    from: now - ms,
    to: now,
  });
  expect(points.reduce((all, { count }) => all + count, 0)).toBe(sum);
  expect(points.length).toBeGreaterThanOrEqual(ms / 1_000 / stepSeconds);
});
