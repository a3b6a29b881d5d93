import { expect, test } from "vitest";
import { availabilityText, stateOf } from "./share.ts";

test("a stretch is up only when it was up throughout", () => {
  expect(stateOf({ up: 900, down: 0, unknown: 0 })).toBe("up");
  expect(stateOf({ up: 899, down: 0, unknown: 1 })).toBe("unknown");
  expect(stateOf({ up: 0, down: 1, unknown: 899 })).toBe("down");
});

test("only all of the time is 100 %", () => {
  expect([100, 99.999, 75, 0].map(availabilityText)).toEqual(["100", "99.99", "75.00", "0.00"]);
});
