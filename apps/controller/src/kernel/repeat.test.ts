import { expect, test } from "vitest";
import { spaced } from "./repeat.ts";

test("what is hinted again and again is done at once, and then together after its spacing", async () => {
  let now = 1_000;
  let waiting = 0;
  const done: number[] = [];
  const run = spaced(
    100,
    async () => {
      const all = waiting;
      waiting = 0;
      if (all === 0) return "nothing";
      done.push(all);
      return "all";
    },
    () => now,
  );
  expect(await run()).toBeUndefined();
  waiting = 1;
  expect(await run()).toBe(100);
  // A hundred hints, one every millisecond.
  for (let hint = 1; hint <= 99; hint += 1) {
    now += 1;
    waiting += 1;
    expect(await run()).toBe(100 - hint);
  }
  expect(done).toEqual([1]);
  now += 1;
  expect(await run()).toBe(100);
  expect(done).toEqual([1, 99]);
  now += 100;
  expect(await run()).toBeUndefined();
  // After a pause there is nothing to wait for.
  waiting = 1;
  expect(await run()).toBe(100);
  expect(done).toEqual([1, 99, 1]);
});

test("of what is more than one turn does the rest follows at once, and a failure holds up nothing", async () => {
  const outcomes = ["part", "part", "all"] as const;
  let turns = 0;
  const run = spaced(
    100,
    async () => {
      turns += 1;
      if (turns === 2) throw new Error("no");
      return outcomes[turns - 1] ?? "nothing";
    },
    () => 0,
  );
  expect(await run()).toBe(0);
  await expect(run()).rejects.toThrow("no");
  expect(await run()).toBe(100);
  expect(turns).toBe(3);
});
