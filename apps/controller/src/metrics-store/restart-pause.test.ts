import { expect, test } from "vitest";
import { restartPauseMs } from "./embedded.ts";

test("a child that cannot run is started more and more rarely, and soon again once it was well", () => {
  const pauses: number[] = [];
  let ends = 0;
  for (const ranMs of [0, 900, 0, 0, 0, 0, 0, 299_999, 300_000, 0]) {
    const pause = restartPauseMs(ends, ranMs);
    ends = pause.ends;
    pauses.push(pause.ms / 1_000);
  }
  expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60, 60, 2, 4]);
});
