import { describe, expect, test } from "vitest";
import {
  advance,
  type Check,
  dueAt,
  type HoldTimes,
  meets,
  type Phase,
  type Watch,
} from "./watch.ts";

const second = 1_000;
const holdTimes: HoldTimes = { durationMs: 30 * second, recoveryMs: 60 * second };
const atOnce: HoldTimes = { durationMs: 0, recoveryMs: 0 };
const transition = (sequence: number, at: number, holds: boolean): Check => ({
  sequence,
  at: at * second,
  holds,
});
const now = (at: number, holds: boolean | null): Check => ({
  sequence: null,
  at: at * second,
  holds,
});
const kinds = (result: ReturnType<typeof advance>) =>
  result.changes.map(({ kind, at }) => [kind, at / second]);

describe("an event", () => {
  test("opens when the condition has held long enough, with the time at which it started", () => {
    const started = advance(null, [transition(1, 0, true), now(10, true)], holdTimes);
    expect(started.changes).toEqual([]);
    expect(started.watch).toMatchObject({ phase: "pending", since: 0, seen: 1 });
    expect(kinds(advance(started.watch, [now(30, true)], holdTimes))).toEqual([["open", 0]]);
  });

  test("opens immediately if the rule has no duration", () => {
    expect(kinds(advance(null, [now(5, true)], atOnce))).toEqual([["open", 5]]);
  });

  test("opens too if it started and ended between two evaluations", () => {
    const result = advance(
      null,
      [transition(1, 0, true), transition(2, 40, false), now(41, false)],
      holdTimes,
    );
    expect(kinds(result)).toEqual([["open", 0]]);
    expect(result.watch.phase).toBe("clearing");
    expect(kinds(advance(result.watch, [now(100, false)], holdTimes))).toEqual([["clear", 40]]);
  });

  test("does not open for less than the duration of the rule", () => {
    const result = advance(
      null,
      [transition(1, 0, true), transition(2, 29, false), now(90, false)],
      holdTimes,
    );
    expect(result.changes).toEqual([]);
    expect(result.watch.phase).toBe("quiet");
  });

  test("that flaps twenty times is one event with nineteen recurrences", () => {
    const flaps = Array.from({ length: 20 }, (_, at) => [
      transition(2 * at + 1, 10 * at, true),
      transition(2 * at + 2, 10 * at + 5, false),
    ]).flat();
    const result = advance(null, [...flaps, now(200, false)], { ...holdTimes, durationMs: 0 });
    expect(result.changes.filter(({ kind }) => kind === "open")).toHaveLength(1);
    expect(result.changes.filter(({ kind }) => kind === "again")).toHaveLength(19);
    expect(result.changes.filter(({ kind }) => kind === "clear")).toHaveLength(0);
    expect(kinds(advance(result.watch, [now(260, false)], holdTimes))).toEqual([["clear", 195]]);
  });
});

describe("regardless of order and clock", () => {
  test("readings are applied by their sequence", () => {
    const mixed = [
      now(50, true),
      transition(3, 20, true),
      transition(1, 0, true),
      transition(2, 10, false),
    ];
    const result = advance(null, mixed, holdTimes);
    expect(kinds(result)).toEqual([["open", 20]]);
    expect(result.watch.seen).toBe(3);
  });

  test("a transition that was already counted is ignored", () => {
    const readings = [transition(1, 0, true), transition(2, 5, false)];
    const first = advance(null, [...readings, now(6, false)], atOnce);
    expect(kinds(first)).toEqual([
      ["open", 0],
      ["clear", 5],
    ]);
    const again = advance(first.watch, [...readings, now(8, false)], atOnce);
    expect(again.changes).toEqual([]);
    expect(again.watch).toMatchObject({ phase: "quiet", seen: 2 });
  });

  test("a clock that was set back causes nothing early, and nothing twice", () => {
    const before: Watch = { phase: "pending", since: 100 * second, seen: 4, at: 110 * second };
    const back = advance(before, [now(20, true)], holdTimes);
    expect(back.changes).toEqual([]);
    expect(back.watch.at).toBe(110 * second);
    expect(kinds(advance(back.watch, [now(131, true)], holdTimes))).toEqual([["open", 100]]);
  });

  test("without observation it neither opens nor clears", () => {
    const pending = advance(null, [transition(1, 0, true), now(20, null)], holdTimes).watch;
    expect(pending.phase).toBe("quiet");
    expect(advance(pending, [now(40, true)], holdTimes).changes).toEqual([]);
    const clearing: Watch = { phase: "clearing", since: 0, seen: 1, at: 0 };
    const unsure = advance(clearing, [now(59, null)], holdTimes).watch;
    expect(advance(unsure, [now(70, false)], holdTimes).changes).toEqual([]);
    expect(kinds(advance(unsure, [now(119, false)], holdTimes))).toEqual([["clear", 59]]);
  });

  test("more frequent evaluations give the same result", () => {
    const readings = [transition(1, 3, true), transition(2, 50, false), transition(3, 60, true)];
    const whole = advance(null, [...readings, now(70, true)], holdTimes);
    let watch: Watch | null = null;
    const changes = [];
    for (let at = 0; at <= 70; at += 1) {
      const seen = readings.filter((reading) => reading.at <= at * second);
      const holds = seen.at(-1)?.holds ?? false;
      const step = advance(watch, [...seen, now(at, holds)], holdTimes);
      watch = step.watch;
      changes.push(...step.changes);
    }
    expect(changes).toEqual(whole.changes);
    expect(watch).toEqual(whole.watch);
  });
});

describe("a value", () => {
  const above = { compareType: 1, threshold: 80, hysteresis: 10 } as const;
  const below = { compareType: 4, threshold: 20, hysteresis: 5 } as const;
  test.each([
    [above, 80, "quiet", false],
    [above, 80.1, "quiet", true],
    [above, 75, "open", true],
    [above, 70, "open", false],
    [above, 75, "clearing", false],
    [{ ...above, compareType: 3 }, 80, "quiet", true],
    [below, 20, "quiet", true],
    [below, 24, "open", true],
    [below, 25, "open", false],
    [{ ...below, compareType: 2 }, 20, "quiet", false],
    [above, null, "open", null],
  ] as const)("%o with %s while %s: %s", (rule, value, phase, expected) => {
    expect(meets(rule, value, phase as Phase)).toBe(expected);
  });
});

describe("of what was silent when the gateways started", () => {
  const listening = { since: 1_000 * second, allBackAt: 1_150 * second };
  const times: HoldTimes = { ...holdTimes, listening };
  const lostAtStop = advance(null, [transition(1, 400, true)], holdTimes).watch;

  test("no event opens while devices come back, and none of one that does", () => {
    const early = advance(lostAtStop, [now(1_000, true)], times);
    expect(early.changes).toEqual([]);
    const late = advance(early.watch, [now(1_179, true)], times);
    expect(late.changes).toEqual([]);
    const back = advance(late.watch, [transition(2, 1_179, false), now(1_200, false)], times);
    expect(back).toMatchObject({ changes: [], watch: { phase: "quiet" } });
  });

  test("one opens once devices have had the time to come back, with when the silence began", () => {
    expect(dueAt(lostAtStop, times)).toBe(1_180 * second);
    expect(kinds(advance(lostAtStop, [now(1_180, true)], times))).toEqual([["open", 400]]);
  });

  test("what is lost later opens after the duration of its rule, and what is known without devices does so too", () => {
    const lost = advance(null, [transition(1, 1_010, true)], times).watch;
    expect(kinds(advance(lost, [now(1_040, true)], times))).toEqual([["open", 1_010]]);
    expect(kinds(advance(lostAtStop, [now(1_000, true)], holdTimes))).toEqual([["open", 400]]);
  });

  test("none opens or ends while no gateway runs", () => {
    const nobody: HoldTimes = { ...holdTimes, listening: null };
    expect(dueAt(lostAtStop, nobody)).toBeNull();
    expect(advance(lostAtStop, [now(9_000, true)], nobody).changes).toEqual([]);
    const open = advance(null, [transition(1, 300, true), now(340, true)], holdTimes).watch;
    const clearing = advance(open, [transition(2, 390, false)], holdTimes).watch;
    expect(advance(clearing, [now(9_000, false)], nobody).changes).toEqual([]);
  });

  test("time without a running gateway does not end an event either", () => {
    const open = advance(null, [transition(1, 300, true), now(340, true)], holdTimes).watch;
    const clearing = advance(open, [transition(2, 390, false)], holdTimes).watch;
    expect(advance(clearing, [now(1_010, false)], times).changes).toEqual([]);
    expect(kinds(advance(clearing, [now(1_060, false)], times))).toEqual([["clear", 390]]);
  });
});
