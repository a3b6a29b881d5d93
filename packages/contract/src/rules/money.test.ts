import { expect, test } from "vitest";
import { z } from "zod";
import { checkMemory, checkWire } from "#kernel/rule.ts";
import { fromMinor, rechargeAmount, sum, toMinor } from "./money.ts";

test.each([
  ["0", 0],
  ["8.2", 820],
  ["8.20", 820],
  ["0.01", 1],
  ["-5", -500],
  ["9999999999999.99", 999_999_999_999_999],
  [1.1, 110],
])("%s are %i minor units", (wire, minor) => {
  expect(toMinor(wire)).toBe(minor);
});

test.each(["", "abc", "1e3", "1e999", "1.234", "01", "+1", ".5", "5.", "1,5", "0x10", "١٢"])(
  "%j is no amount",
  (wire) => {
    expect(toMinor(wire)).toBeNaN();
    expect(checkWire(sum, wire)).toMatchObject({ ok: false, issues: [{ rule: "money" }] });
  },
);

test("is encoded and decoded unchanged, up to the largest sum", () => {
  for (const minor of [
    0, 1, 99, 100, -1, -250, 123_456_789_012_345, 999_999_999_999_999, 999_999_999_999_998,
  ]) {
    expect(toMinor(fromMinor(minor))).toBe(minor);
    const wire = checkMemory(sum, minor);
    expect(wire.ok && z.decode(sum, JSON.parse(JSON.stringify(wire.value)))).toBe(minor);
  }
});

test.each([
  ["0", "outOfRange"],
  ["-5", "outOfRange"],
  ["abc", "money"],
  ["1e999", "money"],
])("a recharge of %s is refused as %s", (wire, rule) => {
  expect(checkWire(rechargeAmount, wire)).toMatchObject({ ok: false, issues: [{ rule }] });
});
