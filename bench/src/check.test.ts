import { expect, test } from "vitest";
import { compare, isLowGood, processorOf, recordedRows } from "./check.ts";
import { type Goal, type Result, table } from "./report.ts";

const machine = "2 × Some CPU, Node 24.21.0";
const processor = processorOf(machine);

const result = (what: string, value: number, rest: Partial<Result> = {}): Result => ({
  bench: "list",
  what,
  goal: null,
  spread: [value, value],
  rounds: 5,
  isVoid: false,
  yardstick: { name: "bare", value: 1_000, unit: "req/s" },
  subject: { value: value * 1_000, unit: "req/s" },
  measured: { value, unit: "×" },
  ...rest,
});
const inMs = (what: string, value: number, goal: Goal | null = null): Result =>
  result(what, value, {
    subject: { value, unit: "ms" },
    measured: { value, unit: "ms" },
    goal,
  });
const pageOf = (...results: Result[]) =>
  recordedRows(table(results, { day: "2026-01-31", machine }));

test("rows of the page come back as they were recorded", () => {
  const rows = pageOf(result("a | b", 0.25), inMs("large", 4_660), inMs("without", 1.2));
  expect(rows).toEqual([
    {
      what: "a | b",
      value: 0.25,
      unit: "×",
      verdict: "no goal",
      day: "2026-01-31",
      processor: "2 × Some CPU",
    },
    expect.objectContaining({ what: "large", value: 4_660, unit: "ms" }),
    expect.objectContaining({ what: "without", value: 1.2, unit: "ms" }),
  ]);
});

test("a row is worse when it is more than a fifth behind, in its own direction", () => {
  const recorded = pageOf(result("rate", 0.5), inMs("time", 100));
  const kinds = (...results: Result[]) =>
    results.map((one) => compare(one, recorded, processor).kind);
  expect(kinds(result("rate", 0.41), result("rate", 0.39), result("rate", 5))).toEqual([
    "as before",
    "worse",
    "as before",
  ]);
  expect(kinds(inMs("time", 119), inMs("time", 122), inMs("time", 1))).toEqual([
    "as before",
    "worse",
    "as before",
  ]);
  // 0.04 may have been 0.045.
  const small = pageOf(result("small", 0.04));
  expect(compare(result("small", 0.029), small, processor).kind).toBe("as before");
  expect(compare(result("small", 0.027), small, processor).kind).toBe("worse");
});

test("the direction of improvement is that of the goal, else of the unit", () => {
  expect(isLowGood(inMs("time", 1, { atLeast: 5 }))).toBe(false);
  expect(isLowGood(result("ratio of a rate", 1, { goal: { atMost: 4 } }))).toBe(true);
  expect(isLowGood(result("ratio of a rate", 1))).toBe(false);
  const ofBytes = { subject: { value: 1, unit: "kB" } };
  expect(isLowGood(result("ratio of bytes", 1, ofBytes))).toBe(true);
});

test("other processors, other units and void runs are not compared, with a reason", () => {
  const recorded = pageOf(result("rate", 0.5), result("unsure", 0.5, { isVoid: true }));
  const text = (one: Result, on = processor) => {
    const { kind, text: said } = compare(one, recorded, on);
    return `${kind}: ${said}`;
  };
  expect(text(result("rate", 0.1), "2 × Other CPU")).toBe(
    "not compared: rate: 0.10 ×; 0.50 × on 2026-01-31, 2 × Some CPU, this is 2 × Other CPU",
  );
  expect(text(inMs("rate", 100))).toContain("another unit");
  expect(text(result("rate", 0.1, { isVoid: true }))).toContain("this run is void");
  expect(text(result("unsure", 0.1))).toContain("that run was void");
  expect(text(result("new", 1))).toBe("not compared: new: 1.00 ×; no such row is recorded");
});
