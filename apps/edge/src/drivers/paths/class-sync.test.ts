/** When the tables of classes are looked at, in virtual time. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClassSpace } from "#drivers/classes/render.ts";
import { ClassSync } from "./class-sync.ts";

let runDir: string;
beforeEach(() => {
  runDir = mkdtempSync(join(tmpdir(), "weft-classes-"));
});
afterEach(() => rmSync(runDir, { recursive: true }));

const spaceOf = (number: number, special: readonly number[]): ClassSpace => ({
  netns: `weft-s${number}`,
  classes: ["realtime"],
  links: [1, 2].map((slot) => ({
    id: number * 10 + slot,
    interfaceName: `wl${number}${slot}`,
    preference: 300 - slot,
    peer: { 4: "10.255.0.1", 6: "fd57::1" },
  })),
  special,
});

/** A router whose readings take some time, and fail when they are to. */
const started = (...spaces: readonly ClassSpace[]) => {
  const state = { now: 0, tookMs: 50, fails: new Set<string>() };
  const synced: { readonly at: number; readonly netns: string | null }[] = [];
  const sync = new ClassSync(
    runDir,
    {
      sync: async ({ netns }) => {
        synced.push({ at: state.now, netns });
        state.now += state.tookMs;
        if (state.fails.has(netns ?? "")) throw new Error("no answer");
      },
      drop: async () => {},
      isActive: () => false,
    },
    () => state.now,
  );
  sync.follow(spaces);
  let living = new Set<number>();
  /** As the measurement does, ten times a second. */
  const run = async (ms: number): Promise<void> => {
    for (const until = state.now + ms; state.now < until; state.now += 100)
      await sync.give({ classRanks: new Map(), living }, new Map()).catch(() => {});
  };
  const lives = (...links: readonly number[]) => {
    living = new Set(links);
  };
  return { state, synced, run, lives };
};

const gaps = (synced: readonly { readonly at: number }[]): number[] =>
  synced.slice(1).map(({ at }, index) => Math.round((at - (synced[index]?.at ?? 0)) / 1_000));

describe("the tables of classes", () => {
  it("are looked at once where no line is special, and again when a link comes to life", async () => {
    const { synced, run, lives } = started(spaceOf(1, []));
    await run(60_000);
    expect(synced).toHaveLength(1);
    lives(12);
    await run(60_000);
    expect(synced).toHaveLength(2);
  });

  it("are looked at every 2 s where a line is special: its routes come when they come", async () => {
    const { synced, run } = started(spaceOf(1, [12]));
    await run(20_000);
    expect(new Set(gaps(synced))).toEqual(new Set([2]));
  });

  it("are not left alone for long by one reading that took long, of a daemon that had just started", async () => {
    const { state, synced, run } = started(spaceOf(1, [12]));
    state.tookMs = 9_000;
    await run(100);
    state.tookMs = 50;
    await run(8_000);
    expect(synced.length).toBeGreaterThan(2);
  });

  it("take no more than a share of the processor where readings take long", async () => {
    const spaces = [1, 2, 3].map((number) => spaceOf(number, [number * 10 + 2]));
    const { state, synced, run } = started(...spaces);
    state.tookMs = 500;
    await run(600_000);
    const late = synced.filter(({ at }) => at > 120_000);
    expect(late.length * 500).toBeLessThan(480_000 / 15);
    expect(new Set(late.map(({ netns }) => netns)).size).toBe(3);
  });

  it("of one space change without a look at those of others", async () => {
    const { synced, run, lives } = started(spaceOf(1, []), spaceOf(2, []));
    await run(1_000);
    expect(synced.map(({ netns }) => netns)).toEqual(["weft-s1", "weft-s2"]);
    lives(22);
    await run(1_000);
    expect(synced.slice(2).map(({ netns }) => netns)).toEqual(["weft-s2"]);
  });

  it("that cannot be read are tried again after a pause that grows, and the others are not kept from theirs", async () => {
    const { state, synced, run } = started(spaceOf(1, [12]), spaceOf(2, []));
    state.fails.add("weft-s1");
    await run(20_000);
    const tried = synced.filter(({ netns }) => netns === "weft-s1");
    expect(tried.length).toBeGreaterThan(5);
    expect(tried.length).toBeLessThan(12);
    expect(synced.filter(({ netns }) => netns === "weft-s2")).toHaveLength(1);
    state.fails.clear();
    const before = synced.length;
    await run(6_000);
    expect(synced.length).toBeGreaterThan(before);
  });
});
