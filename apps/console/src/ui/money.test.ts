import { expect, test } from "vitest";
import { moneyText } from "./money.tsx";

test.each([
  [0, "0.00"],
  [5, "0.05"],
  [-150, "-1.50"],
  [123_456_789, "1,234,567.89"],
  [-100_000, "-1,000.00"],
])("%i minor units read %s", (minor, text) => {
  expect(moneyText(minor)).toBe(text);
});
