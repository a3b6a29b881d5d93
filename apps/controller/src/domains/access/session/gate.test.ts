import { beforeEach, describe, expect, test } from "vitest";
import { createGate, type Gate } from "./gate.ts";

/** ms of the gate's clock. */
let now = 0;
/** Work that runs, in the order in which it began; it ends when it is taken from here. */
let running: { readonly name: string; end(): void }[] = [];
let started: string[] = [];
let gate: Gate;
const slots = 3;
beforeEach(() => {
  now = 0;
  running = [];
  started = [];
  gate = createGate({ slots, maxWaiting: 64, perPlace: 8, now: () => now });
});

type Outcome = "done" | "unavailable";
/** Lets what was settled take its effect. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** One try; it says what became of it. */
const attempt = (
  place: string,
  { failed = 0, isKnown = false, name = place } = {},
): { outcome: Outcome | null } => {
  const one: { outcome: Outcome | null } = { outcome: null };
  const work = () =>
    new Promise<void>((resolve) => {
      started.push(name);
      running.push({ name, end: resolve });
    });
  gate.run({ place, isKnown, failed }, work).then(
    () => {
      one.outcome = "done";
    },
    (error: { code?: Outcome }) => {
      one.outcome = error.code ?? null;
    },
  );
  return one;
};
/** A core does so many checks a second. */
const hashesPerSecond = 27;
/** One second in which `arrive` comes, spread over it, and checks are done. */
const second = async (arrive: readonly (() => void)[]): Promise<void> => {
  for (let at = 0; at < hashesPerSecond; at++) {
    const [from, to] = [at, at + 1].map((part) =>
      Math.round((part * arrive.length) / hashesPerSecond),
    );
    for (const one of arrive.slice(from, to)) one();
    await settled();
    running.shift()?.end();
    await settled();
    now += 1000 / hashesPerSecond;
  }
};

const rate = 200;

describe(`a right login under ${rate} wrong ones a second`, () => {
  test("of one place gets in after the checks that run, whatever that place sends", async () => {
    const flood = Array.from(
      { length: rate },
      () => () => void attempt("guesser", { failed: 300 }),
    );
    await second(flood);
    const before = started.length;
    const right = attempt("office");
    await second(flood);
    expect(right.outcome).toBe("done");
    expect(started.indexOf("office") - before).toBeLessThanOrEqual(slots);
  });

  test("of a thousand places that failed before gets in after the checks that run", async () => {
    let from = 0;
    const flood = () =>
      Array.from({ length: rate }, () => () => {
        from = (from + 1) % 1000;
        attempt(`guesser ${from}`, { failed: 1 });
      });
    for (let n = 0; n < 3; n++) await second(flood());
    const before = started.length;
    const right = attempt("office");
    await second(flood());
    expect(right.outcome).toBe("done");
    expect(started.indexOf("office") - before).toBeLessThanOrEqual(slots);
  });

  test("from a new address is admitted at a retry", async () => {
    let from = 0;
    const flood = () => Array.from({ length: rate }, () => () => void attempt(`guesser ${from++}`));
    for (let n = 0; n < 3; n++) await second(flood());
    // A person tries again each second.
    let tries = 0;
    let right = attempt("office");
    for (; right.outcome !== "done" && tries < 10; tries++) {
      if (right.outcome === "unavailable") right = attempt("office");
      await second(flood());
    }
    expect(right.outcome).toBe("done");
    expect(tries).toBeLessThanOrEqual(5);
  });

  test("of a new place each gets in at once where the account is known", async () => {
    let from = 0;
    const flood = () => Array.from({ length: rate }, () => () => void attempt(`guesser ${from++}`));
    for (let n = 0; n < 3; n++) await second(flood());
    const before = started.length;
    // Also from the address of an office that mistyped a lot.
    const right = attempt("office", { isKnown: true, failed: 19 });
    await second(flood());
    expect(right.outcome).toBe("done");
    expect(started.indexOf("office") - before).toBeLessThanOrEqual(slots);
  });
});

describe("a place", () => {
  test("has so much under way, and is refused more without a slot", async () => {
    const all = Array.from({ length: 12 }, () => attempt("one"));
    await settled();
    expect(all.map(({ outcome }) => outcome).slice(8)).toEqual(Array(4).fill("unavailable"));
    // Whoever is known at the same place is not.
    const known = attempt("one", { isKnown: true, name: "known" });
    running.shift()?.end();
    await settled();
    expect(started).toEqual(["one", "one", "one", "known"]);
    while (running.length > 0) {
      running.shift()?.end();
      await settled();
    }
    expect(known.outcome).toBe("done");
    expect(all.filter(({ outcome }) => outcome === "done")).toHaveLength(8);
  });

  test("waits behind those with fewer failures, and is the first to go when too many wait", async () => {
    for (let n = 0; n < slots; n++) attempt(`running ${n}`);
    const worst = attempt("worst", { failed: 9 });
    const others = Array.from({ length: 64 }, (_, n) => attempt(`waiting ${n}`, { failed: 1 }));
    await settled();
    expect(worst.outcome).toBe("unavailable");
    expect(others.every(({ outcome }) => outcome === null)).toBe(true);
  });
});

test("a place that others go before all the time is refused after 15 seconds, and keeps its turn", async () => {
  for (let at = 0; at < slots; at += 1) attempt(`running ${at}`);
  const late = attempt("late", { failed: 1 });
  await settled();
  now = 15_000;
  attempt("first");
  await settled();
  expect(late.outcome).toBe(null);
  now = 15_001;
  attempt("second");
  await settled();
  expect(late.outcome).toBe("unavailable");
  // It comes back, and goes before places that failed as often and began later.
  attempt("later", { failed: 1 });
  attempt("late", { failed: 1 });
  for (let at = 0; at < slots + 3; at += 1) {
    running.shift()?.end();
    await settled();
  }
  expect(started.slice(slots)).toEqual(["first", "second", "late", "later"]);
});
