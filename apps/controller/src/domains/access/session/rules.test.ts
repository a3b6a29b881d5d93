import { expect, test } from "vitest";
import { accountLaw, addressLaw, secondsToWait } from "./rules.ts";

test.each([
  [0, null, 0],
  [4, 0, 0],
  [5, 0, 1],
  [6, 0, 2],
  [9, 0, 16],
  [9, 15.2, 1],
  [9, 16, 0],
  [500, 0, 60],
  [500, 59.9, 1],
])("after %i failures, the last %s s ago, an account waits %i s", (failed, secondsAgo, wait) => {
  expect(secondsToWait({ failed, secondsAgo }, accountLaw)).toBe(wait);
});

test("an address has more tries and longer delays", () => {
  expect(secondsToWait({ failed: 20, secondsAgo: 0 }, addressLaw)).toBe(0);
  expect(secondsToWait({ failed: 21, secondsAgo: 0 }, addressLaw)).toBe(1);
  expect(secondsToWait({ failed: 99, secondsAgo: 0 }, addressLaw)).toBe(300);
});
