import { beforeEach, expect, test } from "vitest";
import type { Run } from "#drivers/exec.ts";
import { PathMtus, type SizedLink } from "./path-mtu.ts";

/** Bytes that the path to each target carries; 0: it is down. */
let carries: Map<string, number>;
let now: number;
let changes: number;
let asked: number[];
let paths: PathMtus;

/** fping over paths that silently drop packets that are too large. */
const fping: Run = async (argv) => {
  const size = Number(argv[argv.indexOf("-b") + 1]) + 28;
  asked.push(size);
  const targets = argv.filter((one) => one.startsWith("10."));
  return targets.filter((target) => size <= (carries.get(target) ?? 0)).join("\n");
};

const link = (id: number, mtu: number): SizedLink => ({
  id,
  netns: null,
  target: `10.255.0.${id}`,
  mtu,
});
const limit = (id: number) => paths.limits.get(id);

beforeEach(() => {
  carries = new Map([
    ["10.255.0.1", 1_500],
    ["10.255.0.2", 1_500],
  ]);
  now = 0;
  changes = 0;
  asked = [];
  paths = new PathMtus(
    fping,
    () => now,
    () => {
      changes += 1;
    },
  );
});

test("a path that carries the full size needs one probe, and has no limit", async () => {
  await paths.round([link(1, 1_420), link(2, 1_420)]);
  expect(asked).toEqual([1_420]);
  expect(paths.limits.size).toBe(0);
  now = 14_000;
  await paths.round([link(1, 1_420), link(2, 1_420)]);
  expect(asked).toEqual([1_420]);
  now = 15_000;
  await paths.round([link(1, 1_420), link(2, 1_420)]);
  expect(asked).toEqual([1_420, 1_420]);
  expect(changes).toBe(0);
});

test.each([
  [1_420, 1_365, 1_360],
  [1_450, 1_449, 1_440],
  [1_380, 1_000, 1_000],
  [1_400, 600, 1_000],
])("of %i bytes where the path carries %i, the tunnel keeps %i", async (mtu, carried, kept) => {
  carries.set("10.255.0.1", carried);
  await paths.round([link(1, mtu), link(2, mtu)]);
  expect(limit(1)).toMatchObject({ mtu: kept, phase: "complete" });
  expect(limit(2)).toBeUndefined();
  expect(changes).toBe(1);
});

test("a path that comes back between the probes of the full size and the small ones has no limit", async () => {
  const back: Run = async (...given) => {
    const text = await fping(...given);
    carries.set("10.255.0.1", 1_500);
    return text;
  };
  carries.set("10.255.0.1", 0);
  paths = new PathMtus(
    back,
    () => now,
    () => {
      changes += 1;
    },
  );
  await paths.round([link(1, 1_420)]);
  expect(paths.limits.size).toBe(0);
  expect(changes).toBe(0);
});

test("a path that is down has no known size", async () => {
  carries.set("10.255.0.1", 0);
  await paths.round([link(1, 1_420)]);
  expect(paths.limits.size).toBe(0);
  expect(changes).toBe(0);
});

test("the full size is tried again after ten minutes, then half as often each time", async () => {
  carries.set("10.255.0.1", 1_365);
  await paths.round([link(1, 1_420)]);
  now = 599_999;
  await paths.round([link(1, 1_360)]);
  expect(limit(1)?.phase).toBe("complete");
  now = 600_000;
  await paths.round([link(1, 1_360)]);
  expect(limit(1)).toMatchObject({ mtu: 1_360, phase: "raising" });
  // The interface has the full size now, but the path has not.
  await paths.round([link(1, 1_420)]);
  expect(limit(1)).toMatchObject({ mtu: 1_360, phase: "complete" });
  now += 1_199_999;
  await paths.round([link(1, 1_360)]);
  expect(limit(1)?.phase).toBe("complete");
  now += 1;
  await paths.round([link(1, 1_360)]);
  expect(limit(1)?.phase).toBe("raising");
  carries.set("10.255.0.1", 1_500);
  await paths.round([link(1, 1_420)]);
  expect(limit(1)).toBeUndefined();
});

test("after a change of a line the full size is tried again within half a minute", async () => {
  carries.set("10.255.0.1", 1_365);
  await paths.round([link(1, 1_420)]);
  paths.pathsChanged();
  now = 29_999;
  await paths.round([link(1, 1_360)]);
  expect(limit(1)?.phase).toBe("complete");
  now = 30_000;
  await paths.round([link(1, 1_360)]);
  expect(limit(1)?.phase).toBe("raising");
});

test("a link that was removed leaves nothing behind", async () => {
  carries.set("10.255.0.1", 1_365);
  await paths.round([link(1, 1_420)]);
  paths.keep(new Set([2]));
  expect(paths.limits.size).toBe(0);
});
