import { expect, test } from "vitest";
import {
  accountDelay,
  addressDelay,
  type LoginHistory,
  maxNewcomers,
  secondsToLogin,
  secondsToWait,
} from "./rules.ts";

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
  expect(secondsToWait({ failed, secondsAgo }, accountDelay)).toBe(wait);
});

test("an address has more tries and longer delays", () => {
  expect(secondsToWait({ failed: 20, secondsAgo: 0 }, addressDelay)).toBe(0);
  expect(secondsToWait({ failed: 21, secondsAgo: 0 }, addressDelay)).toBe(1);
  expect(secondsToWait({ failed: 99, secondsAgo: 0 }, addressDelay)).toBe(300);
});

const none = { failed: 0, secondsAgo: null };
const quiet: LoginHistory = {
  own: none,
  place: none,
  strangers: none,
  lastMinute: 0,
  network: 0,
  isKnownPlace: false,
  isKnownDevice: false,
};
const crowd = { strangers: { failed: 5_000, secondsAgo: 0 }, lastMinute: 300 };
const here = { own: { failed: 5, secondsAgo: 0 }, place: { failed: 99, secondsAgo: 0 } };

test.each<[string, Partial<LoginHistory>, number]>([
  ["of a first try", {}, 0],
  ["at a place that failed at the account", { own: here.own }, 1],
  ["at a place that failed at many", here, 300],
  ["at a known place that failed at many", { ...here, isKnownPlace: true }, 300],
  ["of a known device at such a place", { ...here, own: none, isKnownDevice: true }, 0],
  ["of a known device that failed itself", { ...here, isKnownDevice: true }, 1],
  ["of a stranger in a crowd", crowd, 60],
  ["of a known place in a crowd", { ...crowd, isKnownPlace: true }, 0],
  ["of a known device in a crowd", { ...crowd, isKnownDevice: true }, 0],
  ["of a new network in a small crowd", { ...crowd, lastMinute: maxNewcomers - 1 }, 0],
  ["of a network in a small crowd", { ...crowd, lastMinute: 1, network: 1 }, 60],
])("the wait %s", (_, history, seconds) => {
  expect(secondsToLogin({ ...quiet, ...history })).toBe(seconds);
});
