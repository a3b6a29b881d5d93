import { expect, test } from "vitest";
import {
  lineOf,
  mergeTables,
  type Result,
  ratioResult,
  shown,
  table,
  verdictOf,
  withResults,
} from "./report.ts";
import { summarise } from "./rounds.ts";

const result = (value: number, rest: Partial<Result> = {}): Result => ({
  bench: "list",
  what: "list call",
  yardstick: { name: "bare Fastify", value: 20_000, unit: "req/s" },
  subject: { value: value * 20_000, unit: "req/s" },
  measured: { value, unit: "×" },
  goal: { atLeast: 0.1 },
  spread: [value - 0.01, value + 0.01],
  rounds: 5,
  isVoid: false,
  ...rest,
});

const day = "2026-01-31";
const machine = "2 × Some CPU, Node 24.21.0";
const run = { day, machine };

test("a goal is met at its very limit; a void run has no verdict", () => {
  expect(verdictOf(result(0.1))).toBe("met");
  expect(verdictOf(result(0.099))).toBe("missed");
  expect(verdictOf(result(4, { goal: { atMost: 4 } }))).toBe("met");
  expect(verdictOf(result(4.1, { goal: { atMost: 4 } }))).toBe("missed");
  expect(verdictOf(result(0.5, { isVoid: true }))).toBe("void");
  expect(verdictOf(result(0.5, { goal: null }))).toBe("no goal");
});

test("numbers show the digits that count", () => {
  expect([0.12345, 5, 12.34, 123.4, 12_345.6].map(shown)).toEqual([
    "0.12",
    "5.00",
    "12.3",
    "123",
    "12,346",
  ]);
});

test("the table has one row per value, with yardstick, spread, goal and verdict", () => {
  const text = table(
    [result(0.25), result(80, { measured: { value: 80, unit: "s" }, goal: null })],
    run,
  );
  const [head, rule, first, second] = text.split("\n");
  expect(head).toMatch(/^\| what \| yardstick \|/);
  expect(rule).toMatch(/^\| --- \|/);
  expect(first).toBe(
    "| list call | bare Fastify: 20,000 req/s | 5,000 req/s | **0.25 ×** | 0.24 to 0.26 | ≥ 0.10 × | met | 2026-01-31 | 2 × Some CPU, Node 24.21.0 |",
  );
  expect(second).toContain("**80.0 s**");
  expect(table([result(1, { what: "a|b" })], run)).toContain("a\\|b");
});

test("a line has the same content as plain text", () => {
  expect(lineOf(result(0.05))).toBe(
    "list: list call: 0.05 × (0.04 to 0.06; 1,000 req/s against bare Fastify: 20,000 req/s; goal ≥ 0.10 ×) missed",
  );
});

test("a ratio becomes a value with the run's verdict on its yardstick", () => {
  const rounds = [100, 100, 150].map((yardstick) => ({ yardstick, subject: 50 }));
  const names = { bench: "b", what: "w", yardstick: "y", unit: "tps" };
  const made = ratioResult(names, summarise(rounds), 3, { atLeast: 0.4 });
  expect(made).toMatchObject({ measured: { value: 0.5, unit: "×" }, isVoid: true, rounds: 3 });
});

test("only what is between the marks is replaced", () => {
  const page = "a\n<!-- results:begin -->\nold\n<!-- results:end -->\nb\n";
  const once = withResults(page, (old) => `${old} new`);
  expect(once).toBe("a\n<!-- results:begin -->\nold new\n<!-- results:end -->\nb\n");
  expect(withResults(once, (old) => old)).toBe(once);
  expect(() => withResults("a page without", String)).toThrow(/no place for values/);
});

test("rows that were not run stay, with the day and the machine of their run", () => {
  const other = { day: "2025-12-01", machine: "4 × Other CPU, Node 24.1.0" };
  const old = table([result(0.1), result(0.2, { what: "a|b" })], other);
  const merged = mergeTables(
    old,
    table([result(0.3, { what: "a|b" }), result(0.4, { what: "c" })], run),
  );
  const [, , first, second, third, ...none] = merged.split("\n");
  expect(first).toMatch(/^\| list call .*0\.10 ×.* 2025-12-01 \| 4 × Other CPU, Node 24\.1\.0 \|$/);
  expect(second).toMatch(/^\| a\\\|b .*0\.30 ×.* 2026-01-31 \| 2 × Some CPU, Node 24\.21\.0 \|$/);
  expect(third).toMatch(/^\| c .*0\.40 ×/);
  expect(none).toEqual([]);
});
