import { expect, test } from "vitest";
import { availabilityText, isSignificant, stateOf } from "./share.ts";

test("a stretch is up only when it was up throughout", () => {
  expect(stateOf({ up: 900, down: 0, unknown: 0 })).toBe("up");
  expect(stateOf({ up: 899, down: 0, unknown: 1 })).toBe("unknown");
  expect(stateOf({ up: 0, down: 1, unknown: 899 })).toBe("down");
});

test("only all of the time is 100 %", () => {
  expect([100, 99.999, 75, 0].map(availabilityText)).toEqual(["100", "99.99", "75.00", "0.00"]);
});

test("a share is given only where enough is known of the range", () => {
  const day = 86_400;
  expect(isSignificant({ up: 60, down: 0.01, unknown: day - 60.01 })).toBe(false);
  expect(isSignificant({ up: 0, down: 0, unknown: day })).toBe(false);
  expect(isSignificant({ up: 0, down: 0, unknown: 0 })).toBe(false);
  expect(isSignificant({ up: 900, down: 0, unknown: day - 900 })).toBe(true);
});
