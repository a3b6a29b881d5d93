/** Roll-ups are what the raw rows give, however often the engine is killed under inserts. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EmbeddedEngine } from "./embedded.ts";
import type { Engine } from "./engine.ts";
import { levels } from "./schema.ts";
import { createStore, type MeasureRow, type MeasureStore } from "./store.ts";

let folder: string;
let engine: EmbeddedEngine;
let store: MeasureStore;
/** Resolves at each opening of the engine. */
let opened: Promise<void>;
let isOpen: () => void = () => undefined;

const awaitOpening = (): void => {
  opened = new Promise((resolve) => {
    isOpen = resolve;
  });
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "weft-roll-ups-"));
  awaitOpening();
  const logger = pino({ level: "silent" });
  engine = new EmbeddedEngine({ folder, logger, opened: () => isOpen() });
  await opened;
  store = createStore(engine);
  await store.migrate();
}, 60_000);
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

const midnight = Math.floor(Date.now() / 86_400_000) * 86_400_000;
const minutes = 40;
const items = 25;

/** A block over midnight: each mean of a minute is of four rows, of which none is like another. */
const block = (node: number): MeasureRow[] =>
  Array.from({ length: items * minutes * 4 }, (_, n) => ({
    kind: "line" as const,
    node_id: node,
    item: `wan${n % items}`,
    boot: "b",
    sequence: 1,
    at: midnight - (minutes / 2) * 60_000 + Math.floor(n / items) * 15_000,
    in_rate: (n * n * 31) % 10_007,
  }));

/** Buckets whose mean is not that of their raw rows, or which only one of both has. */
async function wrong(level: "minute" | "hour"): Promise<number> {
  const { table, average, seconds } = levels[level];
  const bucket = `intDiv(toUnixTimestamp(m.at), ${seconds})`;
  const means = (from: string, mean: string) =>
    `select m.node_id as node, m.item as item, ${bucket} as bucket, ${mean}(m.in_rate) as mean
     from ${from} as m group by node, item, bucket`;
  const [row] = await engine.query(
    `select count() as n from (${means("measure", "avg")}) as r
     full join (${means(table, average)}) as u
       on r.node = u.node and r.item = u.item and r.bucket = u.bucket
     where isNull(r.mean) or isNull(u.mean) or abs(r.mean - u.mean) > 0.001
     settings join_use_nulls = 1`,
    {},
  );
  return Number((row as { n: string }).n);
}

const synced = async (): Promise<number> => {
  const [row] = await engine.query(
    "select sum(value) as n from system.events where event in ('FileSync', 'DirectorySync')",
    {},
  );
  return Number((row as { n: string }).n);
};

test("what is acknowledged was flushed to the disk", async () => {
  const before = await synced();
  await store.insert(block(1).slice(0, 10));
  expect(await synced()).toBeGreaterThan(before);
});

test("kill -9 at six moments of an insert leaves no wrong minute and no wrong hour", async () => {
  const start = performance.now();
  await store.insert(block(2));
  const whole = performance.now() - start;
  const cut: boolean[] = [];
  for (let round = 1; round <= 6; round += 1) {
    awaitOpening();
    const insert = store.insert(block(100 + round)).then(
      () => false,
      () => true,
    );
    await new Promise((resolve) => setTimeout(resolve, (whole * round) / 6));
    process.kill(engine.pid as number, "SIGKILL");
    cut.push(await insert);
    await opened;
    // As at a start of the controller: whose process ends loses what it knew.
    if (round % 2 === 0) store = createStore(engine);
    await store.insert(block(200 + round).slice(0, 100));
    expect([await wrong("minute"), await wrong("hour")], `round ${round}`).toEqual([0, 0]);
  }
  expect(cut).toContain(true);
}, 180_000);

test("a block over midnight is stored day by day, the earlier first: an interruption never keeps only the later", async () => {
  const days: number[][] = [];
  const noting: Engine = {
    isOwn: true,
    command: (text) => engine.command(text),
    query: (text, parameters) => engine.query(text, parameters),
    close: () => Promise.resolve(),
    insert: (table, rows) => {
      const of = (row: object) => String((row as { at?: string }).at).slice(8, 10);
      if (table === "measure") days.push([...new Set(rows.map((row) => Number(of(row))))]);
      return engine.insert(table, rows);
    },
  };
  await createStore(noting).insert(block(300).toReversed());
  const dayOf = (at: number) => new Date(at).getUTCDate();
  expect(days).toEqual([[dayOf(midnight - 1)], [dayOf(midnight)]]);
});
