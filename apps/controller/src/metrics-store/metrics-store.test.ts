/** The store on the real engine: what edges send is there once, and gaps stay gaps. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  embedded,
  type Opened,
  startClickhouse,
  storeOn,
  ways,
} from "../../test/metrics-engines.ts";
import type { Engine } from "./engine.ts";
import { Intake, later, rowsOf } from "./intake.ts";
import { LastSequences } from "./last-sequences.ts";
import { openMeasures } from "./open.ts";
import { choose, wholeNode } from "./steps.ts";
import type { MeasureStore } from "./store.ts";

const logger = pino({ level: "silent" });
const minute = 60_000;
const day = 86_400_000;
/** On a step of every chart up to an hour. */
const noon = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3_600_000;

const metrics = (boot: string, sequence: number, at: number): MessageFromEdge<"metrics"> => ({
  type: "metrics",
  boot,
  sequence,
  at,
  sentAt: at,
  dropped: 0,
  lines: [{ interfaceName: "wan1", inRate: 8_000, outRate: null }],
  links: [{ id: 7, rttMs: 20, jitterMs: 1, lossPercent: 0, inRate: 1, outRate: 1 }],
  cpuPercent: 10,
  memoryPercent: 40,
});
/** Blocks of a store are written at once: what gathers them has a test of its own. */
const intakeOf = (store: MeasureStore): Intake =>
  new Intake(store, logger, (work) => later(work, 0));
const countIn = async (engine: Engine, node: number): Promise<number> => {
  const [row] = await engine.query(
    "select count() as n from measure where node_id = {node:UInt32}",
    { node },
  );
  return Number((row as { n: number }).n);
};

describe.each(ways)("%s:", (_, open) => {
  let world: Awaited<ReturnType<typeof storeOn>>;
  let engine: Engine;
  let store: MeasureStore;
  beforeAll(async () => {
    world = await storeOn<Opened>(open);
    ({ engine, store } = world);
  }, 60_000);
  afterAll(() => world.end());
  const count = (node: number) => countIn(engine, node);

  test("tables are made once more without harm", async () => {
    await store.migrate();
  });

  test("a bucket without metrics is a gap, and every bucket of the range is there", async () => {
    const at = (minutes: number) => ({
      ...rowsOf(1, metrics("b", 1, 0), noon + minutes * minute)[0],
    });
    await store.insert([at(0), at(1), at(5)] as Parameters<MeasureStore["insert"]>[0]);
    const { stepSeconds, items } = await store.read("node", wholeNode(1), "", {
      from: noon,
      to: noon + 6 * minute,
    });
    expect(stepSeconds).toBe(30);
    const cpu = items.get("")?.map(({ values }) => values?.cpu_percent ?? null);
    expect(cpu).toEqual([10, null, 10, null, null, null, null, null, null, null, 10, null]);
  });

  test("reports its version, its size, its free space, and the time of the newest sample", async () => {
    const now = Date.now();
    const [row] = rowsOf(77, metrics("describe", 1, 0), now);
    await store.insert([{ ...row, at: now }] as Parameters<MeasureStore["insert"]>[0]);
    const { version, bytes, freeBytes, totalBytes, newestAt } = await store.describe();
    expect(version).toMatch(/^\d+\.\d+/);
    expect(bytes).toBeGreaterThan(0);
    expect(freeBytes).toBeGreaterThan(0);
    expect(totalBytes).toBeGreaterThan(freeBytes ?? 0);
    expect(newestAt?.getTime()).toBe(now);
  });

  test("items of several nodes are answered together, without others of these nodes", async () => {
    const row = (node_id: number, item: string, loss_percent: number) => ({
      kind: "link" as const,
      node_id,
      item,
      boot: "b",
      sequence: 1,
      at: noon,
      loss_percent,
    });
    await store.insert([row(11, "101", 1), row(11, "102", 2), row(12, "103", 3)]);
    const range = { from: noon, to: noon + minute };
    const { stepSeconds, items } = await store.readItems(
      "link",
      [wholeNode(11), wholeNode(12)],
      ["101", "103", "9"],
      range,
    );
    const shown = [...items].map(([item, buckets]) => [
      item,
      ...buckets.map(({ values }) => values?.loss_percent ?? null),
    ]);
    expect([stepSeconds, shown]).toEqual([
      30,
      [
        ["101", 1, null],
        ["103", 3, null],
        ["9", null, null],
      ],
    ]);
    expect((await store.readItems("link", [wholeNode(11)], [], range)).items.size).toBe(0);
  });

  test("roll-ups answer wide ranges with the same mean", async () => {
    const row = (cpu_percent: number, at: number) => ({
      kind: "node" as const,
      node_id: 2,
      item: "",
      boot: "b",
      sequence: 1,
      at,
      cpu_percent,
    });
    await store.insert([row(10, noon), row(30, noon + 15_000), row(80, noon + 2 * minute)]);
    const narrow = await store.read("node", wholeNode(2), "", {
      from: noon,
      to: noon + 5 * 3_600_000,
    });
    expect(narrow.stepSeconds).toBe(60);
    expect(
      narrow.items
        .get("")
        ?.slice(0, 3)
        .map(({ values }) => values?.cpu_percent),
    ).toEqual([20, undefined, 80]);
    const wide = await store.read("node", wholeNode(2), "", {
      from: noon - 14 * day,
      to: noon + 3_600_000,
    });
    expect(wide.stepSeconds).toBe(3_600);
    expect(wide.items.get("")?.at(-1)?.values?.cpu_percent).toBe(40);
  });

  test("the means of a short range are there for every node and item that measured in it", async () => {
    const row = (node_id: number, item: string, in_rate: number, at: number) => ({
      kind: "line" as const,
      node_id,
      item,
      boot: "b",
      sequence: 1,
      at,
      in_rate,
    });
    const at = noon + 20 * minute;
    await store.insert([
      row(8, "wan1", 10, at),
      row(8, "wan1", 30, at + 15_000),
      row(8, "wan2", 5, at),
      row(9, "wan1", 7, at + 30_000),
      row(9, "wan2", 7, at - 2 * minute),
    ]);
    const latest = await store.latest("line", { from: at, to: at + minute });
    const rates = [...latest].map(([key, { in_rate }]) => [key, in_rate]);
    expect(rates.sort()).toEqual([
      ["8 wan1", 20],
      ["8 wan2", 5],
      ["9 wan1", 7],
    ]);
  });

  test("a message is stored once: sent twice, sent at once twice, sent again to another process", async () => {
    const intake = intakeOf(store);
    expect(await intake.keep(3, metrics("one", 1, noon))).toBe(true);
    expect(await count(3)).toBe(3);
    const both = await Promise.all([1, 2].map(() => intake.keep(3, metrics("one", 2, noon))));
    expect(both.includes(true)).toBe(true);
    expect(await intake.keep(3, metrics("one", 1, noon))).toBe(true);
    const other = intakeOf(store);
    expect(await other.keep(3, metrics("one", 2, noon))).toBe(true);
    expect(await count(3)).toBe(6);
    expect(await other.keep(3, metrics("two", 1, noon))).toBe(true);
    expect(await count(3)).toBe(9);
  });

  test("messages of four seconds are one insert, and a backlog does not wait for them", async () => {
    const inserts: number[] = [];
    const counting: MeasureStore = {
      ...store,
      insert: (rows) => {
        inserts.push(rows.length);
        return store.insert(rows);
      },
    };
    /** Blocks that are being gathered. */
    const due = new Map<() => void, number>();
    const intake = new Intake(counting, logger, (work, ms) => {
      due.set(work, ms);
      return () => void due.delete(work);
    });
    const fresh = [21, 22, 23].map((node) => intake.keep(node, metrics("one", 1, noon)));
    await expect.poll(() => intake.waitingRows).toBe(9);
    expect([...due.values()]).toEqual([4_000]);
    for (const write of [...due.keys()]) write();
    expect(await Promise.all(fresh)).toEqual([true, true, true]);
    expect(inserts).toEqual([9]);
    expect(due.size).toBe(0);

    const waits = intake.keep(21, metrics("one", 2, noon));
    await expect.poll(() => intake.waitingRows).toBe(3);
    const late = { ...metrics("one", 2, noon), sentAt: noon + 60_000 };
    const backlog = intake.keep(22, late);
    await expect.poll(() => intake.waitingRows).toBe(6);
    expect([...due.values()]).toEqual([400]);
    await intake.close();
    expect(await Promise.all([waits, backlog])).toEqual([true, true]);
    expect(inserts).toEqual([9, 6]);
    expect(due.size).toBe(0);
  });

  test("boots of many devices are read in one query", async () => {
    let asked = 0;
    const last = new LastSequences({
      lastSequences: (boots) => {
        asked += 1;
        return store.lastSequences(boots);
      },
    });
    const boots = [
      { nodeId: 3, boot: "two" },
      ...[3, 99].map((nodeId) => ({ nodeId, boot: "one" })),
    ];
    expect(await Promise.all(boots.map((boot) => last.of(boot)))).toEqual([1, 2, 0]);
    expect(await last.of({ nodeId: 3, boot: "one" })).toBe(2);
    expect(asked).toBe(1);
    expect(last.stored({ nodeId: 3, boot: "one" }, 1)).toBe(2);
    last.forget({ nodeId: 3, boot: "one" });
    expect(await last.of({ nodeId: 3, boot: "one" })).toBe(2);
    expect(asked).toBe(2);
  });
});

test("the level follows range and age", () => {
  const now = 1_000 * day;
  const of = (from: number, to: number) => choose({ from: now - from, to: now - to }, now);
  expect(of(3_600_000, 0)).toEqual({ step: 30, level: "raw" });
  expect(of(day, 0)).toEqual({ step: 300, level: "minute" });
  expect(of(10 * day, 10 * day - 3_600_000)).toEqual({ step: 60, level: "minute" });
  expect(of(100 * day, 100 * day - 3_600_000)).toEqual({ step: 3_600, level: "hour" });
});

test("a device with a wrong clock is stamped by ours, and its backlog keeps its distance", () => {
  const late = { ...metrics("b", 1, 5_000), sentAt: 65_000 };
  expect(rowsOf(1, late, noon).map(({ at }) => at)).toEqual(Array(3).fill(noon - 60_000));
  const backwards = { ...metrics("b", 1, 9_000), sentAt: 0 };
  expect(rowsOf(1, backwards, noon)[0]?.at).toBe(noon);
});

test("reads that take long hold up neither other reads nor inserts", async () => {
  // The pool of readers is the child's: a server elsewhere has its own.
  const { engine, store, end } = await storeOn(embedded);
  const ended: string[] = [];
  const noted = (name: string, done: Promise<unknown>) => done.then(() => ended.push(name));
  const slow = "select count() as n from numbers(3000) where not ignore(sleepEachRow(0.001))";
  await Promise.all([
    noted("slow", engine.query(slow, {})),
    noted("slow", engine.query(slow, {})),
    noted("read", countIn(engine, 1)),
    noted("insert", store.insert(rowsOf(5, metrics("b", 1, 0), noon))),
  ]);
  expect(ended.slice(2)).toEqual(["slow", "slow"]);
  await end();
}, 60_000);

test("without the store nothing is acknowledged; it restarts by itself with all its rows", async () => {
  const { engine, store, end: close } = await storeOn(embedded);
  const count = (node: number) => countIn(engine, node);
  const intake = intakeOf(store);
  expect(await intake.keep(4, metrics("one", 1, noon))).toBe(true);
  process.kill(engine.pid as number, "SIGKILL");
  const end = Date.now() + 30_000;
  const other = intakeOf(store);
  let kept = await other.keep(4, metrics("one", 2, noon));
  expect(kept).toBe(false);
  while (!kept && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    kept = await other.keep(4, metrics("one", 2, noon));
  }
  expect(kept).toBe(true);
  expect(await count(4)).toBe(6);
  await close();
}, 120_000);

test("a server that WEFT_CLICKHOUSE_URL names may restart with all its rows", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "weft-measures-"));
  const printed = vi.spyOn(console, "error");
  const server = await startClickhouse(folder);
  const measures = openMeasures({
    clickhouseUrl: server.url,
    dataDir: "/nowhere",
    demonstration: false,
    logger,
  });
  expect(await measures.ready(30_000)).toBe(true);
  expect(await measures.answers()).toBe(true);
  expect(await measures.intake.keep(4, metrics("one", 1, noon))).toBe(true);
  await server.kill();
  await expect(measures.answers()).rejects.toThrow();
  expect(await measures.intake.keep(4, metrics("one", 2, noon))).toBe(false);
  const again = await startClickhouse(folder, Number(new URL(server.url).port));
  expect(await measures.intake.keep(4, metrics("one", 2, noon))).toBe(true);
  const now = Date.now();
  const range = { from: now - 2 * minute, to: now + minute };
  const { items } = await measures.store.read("node", wholeNode(4), "", range);
  expect(items.get("")?.some(({ values }) => values?.cpu_percent === 10)).toBe(true);
  expect(await measures.store.lastSequences([{ nodeId: 4, boot: "one" }])).toEqual([2]);
  // The log is the program's own: no stacks of the client beside it.
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
  await measures.close();
  await again.close();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

test("the child ends when its parent is killed silently", async () => {
  const own = await mkdtemp(path.join(tmpdir(), "weft-measures-"));
  const child = path.join(import.meta.dirname, "child.ts");
  const script = `
    const child = require("node:child_process").fork(${JSON.stringify(child)}, ["${own}"], { execArgv: [] });
    child.on("message", ({ kind }) => console.log(kind + " " + child.pid));
    setInterval(() => undefined, 1000);`;
  const parent = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [output] = (await once(parent.stdout, "data")) as [Buffer];
  const [kind, pid] = output.toString().trim().split(" ");
  expect(kind).toBe("open");
  parent.kill("SIGKILL");
  const lives = (): boolean => {
    try {
      return process.kill(Number(pid), 0);
    } catch {
      return false;
    }
  };
  const end = Date.now() + 30_000;
  while (lives() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(lives()).toBe(false);
  await rm(own, { recursive: true, force: true });
}, 60_000);
