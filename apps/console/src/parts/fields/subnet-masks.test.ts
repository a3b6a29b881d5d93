import { expect, it } from "vitest";
import { subnetMasks } from "./subnet-masks.ts";

it("B-3-20: the masks are 32, from prefix 32 to prefix 1, each with its prefix in brackets", () => {
  expect(subnetMasks.map(({ prefix }) => prefix)).toEqual(
    Array.from({ length: 32 }, (_, at) => 32 - at),
  );
  const labelOf = (wanted: number) => subnetMasks.find(({ prefix }) => prefix === wanted)?.label;
  expect([32, 31, 25, 24, 20, 16, 9, 8, 1].map(labelOf)).toEqual([
    "255.255.255.255(32)",
    "255.255.255.254(31)",
    "255.255.255.128(25)",
    "255.255.255.0(24)",
    "255.255.240.0(20)",
    "255.255.0.0(16)",
    "255.128.0.0(9)",
    "255.0.0.0(8)",
    "128.0.0.0(1)",
  ]);
  // Each bit that a prefix counts, and no other.
  for (const { prefix, mask } of subnetMasks) {
    const bits = mask.split(".").map((part) => Number(part).toString(2).padStart(8, "0"));
    expect(bits.join("")).toBe("1".repeat(prefix).padEnd(32, "0"));
  }
});
