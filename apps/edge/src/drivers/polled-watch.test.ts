import { expect, test } from "vitest";
import { PolledWatch } from "./polled-watch.ts";

const watchOf = (readings: (readonly string[])[]) => {
  let reads = 0;
  let changes = 0;
  const watch = new PolledWatch<string, readonly string[]>({
    everyRounds: 2,
    none: [],
    read: async (subjects) => {
      const reading = readings[reads++] ?? [];
      return subjects.length === 0 ? [] : reading;
    },
    textOf: (reading) => reading.join(),
  });
  const stop = watch.watch(() => {
    changes += 1;
  });
  return {
    watch,
    stop,
    counts: () => ({ reads, changes }),
    rounds: async (count: number) => {
      for (let round = 0; round < count; round += 1) await watch.tend();
    },
  };
};

test("reads nothing without subjects", async () => {
  const { rounds, counts } = watchOf([]);
  await rounds(10);
  expect(counts()).toEqual({ reads: 0, changes: 0 });
});

test("reads in every second round and reports changes only", async () => {
  const { watch, rounds, counts } = watchOf([["a"], ["a"], ["b"]]);
  watch.follow(["eth0"]);
  await rounds(1);
  expect(counts()).toEqual({ reads: 0, changes: 0 });
  await rounds(3);
  expect(counts()).toEqual({ reads: 2, changes: 1 });
  await rounds(2);
  expect(counts()).toEqual({ reads: 3, changes: 2 });
  expect(watch.last).toEqual(["b"]);
});

test("reports once that the last subject is gone, and then reads nothing", async () => {
  const { watch, rounds, counts } = watchOf([["a"]]);
  watch.follow(["eth0"]);
  await rounds(2);
  watch.follow([]);
  await rounds(10);
  expect(counts()).toEqual({ reads: 2, changes: 2 });
  expect(watch.last).toEqual([]);
});

test("reports nothing after the watcher stopped", async () => {
  const { watch, stop, rounds, counts } = watchOf([["a"]]);
  stop();
  watch.follow(["eth0"]);
  await rounds(2);
  expect(counts()).toEqual({ reads: 1, changes: 0 });
});
