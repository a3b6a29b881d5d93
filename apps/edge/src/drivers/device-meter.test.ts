import { expect, test } from "vitest";
import { cpuBetween, parseCpu, parseMemory } from "./device-meter.ts";

const stat = (idle: number, user: number) =>
  `cpu  ${user} 0 50 ${idle} 10 0 0 0 5 0\ncpu0 1 1 1 1\n`;

test("load is the share of time at work between two readings", () => {
  const before = parseCpu(stat(1_000, 100));
  expect(before).toEqual({ busy: 150, total: 1_160 });
  expect(cpuBetween(before, parseCpu(stat(1_075, 125)))).toBe(25);
  expect(cpuBetween(null, before)).toBeNull();
  expect(cpuBetween(before, before)).toBeNull();
  expect(parseCpu("")).toBeNull();
});

test("memory that programs could have counts as free", () => {
  const text = "MemTotal:       1000 kB\nMemFree:  10 kB\nMemAvailable:    250 kB\n";
  expect(parseMemory(text)).toBe(75);
  expect(parseMemory("MemTotal: 0 kB\n")).toBeNull();
});
