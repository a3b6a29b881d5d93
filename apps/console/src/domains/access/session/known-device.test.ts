import { expect, test } from "vitest";
import { deviceFor, keepDevice } from "./known-device.ts";

const storeOf = (text: string | null = null) => {
  let kept = text;
  return {
    getItem: () => kept,
    setItem: (_: string, value: string) => {
      kept = value;
    },
  };
};

test("a browser keeps one token for each of its last accounts", () => {
  const store = storeOf();
  for (let n = 0; n < 10; n++) keepDevice(`user${n}`, `token${n}`, store);
  keepDevice("user5", "newer", store);
  keepDevice("user9", undefined, store);
  expect(deviceFor("user1", store)).toBeNull();
  expect(deviceFor("user2", store)).toBe("token2");
  expect(deviceFor("user5", store)).toBe("newer");
  expect(deviceFor("toString", store)).toBeNull();
});

test.each(["", "nonsense", "null", "[1]"])("what else is stored there (%s) is no token", (text) => {
  expect(deviceFor("user1", storeOf(text))).toBeNull();
});
