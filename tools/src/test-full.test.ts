import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runGroups } from "./test-full.ts";
import { failure } from "./test-reporter.ts";
import type { Stage } from "./test-stages.ts";

const stages = ["kernel", "lab"].map(
  (name): Stage => ({
    name,
    limitMinutes: 1,
    run: async () => [],
  }),
);

/** Runs both groups; `lab` fails on tree b. @param trees what the tree is, time after time */
function groupsIn(file: string) {
  return async (isResumed: boolean, ...trees: readonly [string, ...string[]]) => {
    const ran: string[] = [];
    const said: string[] = [];
    const tree = trees.values();
    const run = async ({ name }: Stage) => {
      ran.push(name);
      const isBroken = name === "lab" && trees[0] === "b";
      const id = `${name} > test`;
      const passed = { id, state: "passed", ms: 1 } as const;
      return { results: [isBroken ? failure(id, "no") : passed], flaky: [], stages: [] };
    };
    const treeHash = () => tree.next().value ?? trees.at(-1) ?? "";
    const options = { stages, isResumed, file, treeHash, run };
    const records = await runGroups(options, (line) => said.push(line.trim()));
    return { ran, said, results: records.flatMap(({ results }) => results) };
  };
}

test("only groups that passed on the same committed tree are left out, and every run says which", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "weft-full-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const run = groupsIn(path.join(folder, "full.json"));
  const both = ["kernel", "lab"];
  const unknown = ["== nothing is left out: no results of this tree"];
  expect(await run(false, "a")).toMatchObject({ ran: both, said: [] });
  expect(await run(true, "a")).toMatchObject({
    ran: [],
    said: both.map((name) => `== ${name}: left out, it has passed on this tree`),
  });
  expect(await run(true, "b")).toMatchObject({ ran: both, said: unknown });
  expect((await run(true, "b")).ran).toEqual(["lab"]);
  expect(await run(true, "")).toMatchObject({
    ran: both,
    said: ["== nothing is left out: this tree has uncommitted changes"],
  });
  expect((await run(true, "")).ran).toEqual(both);
  expect((await run(true, "b")).said).toEqual(unknown);
});

test("a group during which the tree changed has failed, and nothing runs after it", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "weft-full-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const run = groupsIn(path.join(folder, "full.json"));
  const { ran, results } = await run(false, "a", "c");
  expect(ran).toEqual(["kernel"]);
  expect(results).toContainEqual(failure("kernel > (tree)", "the tree changed while it ran"));
  expect((await run(true, "a")).ran).toEqual(["kernel", "lab"]);
});
