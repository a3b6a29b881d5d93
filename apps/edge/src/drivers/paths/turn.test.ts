/** What the watch over the paths waits for: never for its own turn. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Device } from "#drivers/device.ts";
import { createPaths } from "./apply.ts";
import type { Rank } from "./choice.ts";
import type { PathsPart, PathsStep } from "./plan.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "weft-paths-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const section = { returnAfter: 60, spaces: [] } as unknown as NonNullable<PathsPart>["section"];
const part: PathsPart = { section, links: [], groups: [], classSpaces: [] };
const step = { driver: "paths", kind: "measure", phase: 70, summary: "" } as PathsStep;

test("a watch of the paths whose links are gone ends before their ranks had a turn", async () => {
  // As the routing daemon has them: of a link that the state no longer has.
  writeFileSync(join(folder, "paths.json"), JSON.stringify([[9, 2]]));
  const device = { runDir: folder, log: { warn() {}, info() {} } } as unknown as Device;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
  const given: ReadonlyMap<number, Rank>[] = [];
  const classes = { sync: async () => {}, drop: async () => {}, clearAll: async () => {} };
  const wereGiven = Promise.withResolvers<void>();
  const paths = createPaths(device, {
    answers: () => new Map(),
    packets: () => new Map(),
    classes: { ...classes, isActive: () => false },
    prefer: (ranks) =>
      inTurn(async () => {
        given.push(ranks);
        wereGiven.resolve();
      }),
  });
  void inTurn(() => paths.run(step, part));
  await inTurn(() => paths.tend());
  await wereGiven.promise;
  expect(given).toEqual([new Map()]);
  await inTurn(() => paths.stop());
});
