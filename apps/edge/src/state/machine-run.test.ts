import { expect, test } from "vitest";
import type { AnyDriver, Machine, Step } from "#drivers/driver.ts";
import { planAll, runAll, settle, verify } from "./machine-run.ts";

/** A driver of ten steps, each of which takes 20 s on the clock. */
const slow = () => {
  let now = 0;
  const done: string[] = [];
  const steps: Step[] = Array.from({ length: 10 }, (_, at) => ({
    ...({ driver: "underlay", kind: "slow", phase: 10, summary: `step ${at}` } as const),
  }));
  const driver = {
    name: "underlay",
    pick: () => null,
    observe: async () => null,
    plan: () => steps.filter(({ summary }) => !done.includes(summary)),
    run: async ({ summary }: Step) => {
      now += 20_000;
      done.push(summary);
    },
  } as unknown as AnyDriver;
  const clock = {
    monotonic: () => now,
    now: () => now,
    setTimeout: (callback: () => void) => {
      callback();
      return () => {};
    },
  };
  return { machine: { drivers: [driver] } as unknown as Machine, clock, done };
};

test("an apply that takes too long ends between two steps, with the reason", async () => {
  const { machine, clock, done } = slow();
  const plan = await planAll(machine, null);
  const late = "the apply took more than 150 s, for 8 of 10 steps";
  await expect(runAll(plan, clock)).rejects.toThrow(late);
  expect(done).toHaveLength(8);
});

test("a rollback is never cut short", async () => {
  const { machine, clock, done } = slow();
  expect(await settle(machine, null, clock)).toBeNull();
  expect(done).toHaveLength(10);
});

test.each([
  [0, 250],
  [900, 900],
  [5_000, 2_000],
])("a machine that takes %i ms to observe is left alone for %i ms", async (took, pause) => {
  const { machine, clock } = slow();
  const [driver] = machine.drivers;
  let now = 0;
  let left = 2;
  const pauses: number[] = [];
  const looking = {
    ...driver,
    observe: async () => {
      now += took;
    },
    plan: () => {
      left -= 1;
      return left > 0
        ? [{ driver: "underlay", kind: "slow", phase: 10, summary: "on its way" }]
        : [];
    },
  } as unknown as AnyDriver;
  const setTimeout = (callback: () => void, ms: number) => {
    pauses.push(ms);
    queueMicrotask(callback);
    return () => {};
  };
  const times = { ...clock, monotonic: () => now, setTimeout };
  await verify({ ...machine, drivers: [looking] }, null, times);
  expect(pauses).toEqual([pause]);
});
