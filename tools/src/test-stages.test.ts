import { expect, test } from "vitest";
import { runStages, stages } from "./test-stages.ts";

test("a stage starts when those that it comes after have ended, and others run beside it", async () => {
  const story: string[] = [];
  const open = new Map<string, () => void>();
  const selected = [
    { name: "first", after: [] },
    { name: "long", after: ["first"] },
    { name: "short", after: ["first", "not selected"] },
    { name: "last", after: ["long", "short"] },
  ];
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string) => {
    open.get(name)?.();
    await turn();
  };
  const run = runStages(selected, async ({ name }) => {
    story.push(`${name} starts`);
    await new Promise<void>((resolve) => open.set(name, resolve));
    story.push(`${name} ends`);
  });
  await turn();
  for (const name of ["first", "short", "long", "last"]) await end(name);
  await run;
  expect(story).toEqual([
    "first starts",
    "first ends",
    "long starts",
    "short starts",
    "short ends",
    "long ends",
    "last starts",
    "last ends",
  ]);
});

test("every stage that another one comes after is there, and is listed before it", () => {
  const names = stages.map(({ name }) => name);
  const misplaced = stages.filter(({ name, after }) =>
    after.some((other) => !names.slice(0, names.indexOf(name)).includes(other)),
  );
  expect(misplaced).toEqual([]);
});
