/** Requests are gathered by a clock, answered one by one, and one that fails hurts no other. */
import { expect, test } from "vitest";
import { ManualClock } from "../../test/manual-clock.ts";
import { Gatherer, GathererFull, type GatherLimits, type Settled } from "./gatherer.ts";

interface Question {
  readonly node: number;
  readonly name: string;
}
type Run = (names: readonly string[], isAlone: boolean) => Promise<readonly Settled<string>[]>;

const limits: GatherLimits = { gatherMs: 5, most: 4, maxWaiting: 8 };
const done = (names: readonly string[]): Settled<string>[] =>
  names.map((name) => ({ isDone: true, answer: `${name} done` }));
const away = new Error("the database is away");
const locked = new Error("others hold a row");

function gatherer(run: Run = async (names) => done(names), factor = 1) {
  const clock = new ManualClock();
  const runs: { readonly names: readonly string[]; readonly isAlone: boolean }[] = [];
  const own = new Gatherer<Question, string>({
    ...limits,
    factor,
    clock,
    isAway: (error) => error === away,
    isLocked: (error) => error === locked,
    run: async (asked, isAlone) => {
      const names = asked.map(({ name }) => name);
      runs.push({ names, isAlone });
      return run(names, isAlone);
    },
  });
  const ask = (node: number, name = `n${node}`) => own.add({ node, name });
  return { clock, runs, ask };
}
/** Lets everything go on that waits for no clock. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("what comes within the time is one transaction, and each is answered by itself", async () => {
  const { clock, runs, ask } = gatherer();
  const answers = Promise.all([ask(3), ask(1), ask(2)]);
  clock.advance(4);
  await settle();
  expect(runs).toEqual([]);
  clock.advance(1);
  expect(await answers).toEqual(["n3 done", "n1 done", "n2 done"]);
  expect(runs).toEqual([{ names: ["n1", "n2", "n3"], isAlone: false }]);
  const later = ask(1);
  clock.advance(5);
  expect(await later).toBe("n1 done");
});

test("where requests come one soon after the other more of them are gathered, and one that comes alone is not", async () => {
  const { clock, runs, ask } = gatherer(undefined, 4);
  const first = ask(1);
  clock.advance(5);
  expect(await first).toBe("n1 done");
  const some = [ask(2)];
  clock.advance(19);
  some.push(ask(3));
  await settle();
  expect(runs.length).toBe(1);
  clock.advance(1);
  await Promise.all(some);
  expect(runs.slice(1).map(({ names }) => names)).toEqual([["n2", "n3"]]);
  clock.advance(20);
  const last = ask(4);
  clock.advance(5);
  expect(await last).toBe("n4 done");
});

test("as many as a transaction takes do not wait for the time", async () => {
  const { clock, runs, ask } = gatherer();
  const answers = [1, 2, 3, 4, 5].map((node) => ask(node));
  await Promise.all(answers.slice(0, 4));
  expect(runs.map(({ names }) => names.length)).toEqual([4]);
  clock.advance(5);
  await Promise.all(answers);
  expect(runs.map(({ names }) => names.length)).toEqual([4, 1]);
});

test("requests of one node are run one after the other, in their order", async () => {
  const { clock, runs, ask } = gatherer();
  const answers = [ask(1, "first"), ask(1, "second"), ask(2, "other"), ask(1, "third")];
  for (let turn = 0; turn < 3; turn += 1) {
    clock.advance(5);
    await settle();
  }
  await Promise.all(answers);
  expect(runs.map(({ names }) => names)).toEqual([["first", "other"], ["second"], ["third"]]);
});

test("one transaction at a time: what comes meanwhile waits for the next", async () => {
  let end = (): void => undefined;
  const { clock, runs, ask } = gatherer(async (names) => {
    if (names[0] === "n1") await new Promise<void>((resolve) => (end = resolve));
    return done(names);
  });
  const first = ask(1);
  clock.advance(5);
  const others = [ask(2), ask(3)];
  clock.advance(5);
  await settle();
  expect(runs.length).toBe(1);
  end();
  await Promise.all([first, ...others]);
  expect(runs.map(({ names }) => names)).toEqual([["n1"], ["n2", "n3"]]);
});

test("one that fails the transaction fails alone", async () => {
  const wrong = new Error("a trigger refused it");
  const { clock, runs, ask } = gatherer(async (names) => {
    if (names.includes("n2")) throw wrong;
    return done(names);
  });
  const answers = Promise.allSettled([ask(1), ask(2), ask(3)]);
  clock.advance(5);
  expect(await answers).toEqual([
    { status: "fulfilled", value: "n1 done" },
    { status: "rejected", reason: wrong },
    { status: "fulfilled", value: "n3 done" },
  ]);
  expect(runs.map(({ names }) => names)).toEqual([
    ["n1", "n2", "n3"],
    ["n1", "n2"],
    ["n1"],
    ["n2"],
    ["n3"],
  ]);
});

test("one for whose rows a transaction waited too long waits for them by itself", async () => {
  const { clock, runs, ask } = gatherer(async (names, isAlone) => {
    if (names.includes("n2") && !isAlone) throw locked;
    return done(names);
  });
  const answers = Promise.all([ask(1), ask(2)]);
  clock.advance(5);
  expect(await answers).toEqual(["n1 done", "n2 done"]);
  expect(runs.filter(({ isAlone }) => isAlone).map(({ names }) => names)).toEqual([["n2"]]);
});

test("one that is refused by its own rules fails alone without another transaction", async () => {
  const wrong = new Error("not confirmable");
  const { clock, runs, ask } = gatherer(async (names) =>
    names.map((name) =>
      name === "n2" ? { isDone: false, error: wrong } : { isDone: true, answer: name },
    ),
  );
  const answers = Promise.allSettled([ask(1), ask(2)]);
  clock.advance(5);
  expect(await answers).toMatchObject([{ value: "n1" }, { reason: wrong }]);
  expect(runs.length).toBe(1);
});

test("one whose rows others hold waits by itself, and its node's next request behind it", async () => {
  let release = (): void => undefined;
  const { clock, runs, ask } = gatherer(async (names, isAlone) => {
    if (isAlone) await new Promise<void>((resolve) => (release = resolve));
    return names.map((name) =>
      name === "held" && !isAlone ? "locked" : { isDone: true, answer: name },
    );
  });
  const answered: string[] = [];
  const asked = [ask(1, "held"), ask(2, "free"), ask(1, "next")].map((one) =>
    one.then((name) => answered.push(name)),
  );
  clock.advance(5);
  await settle();
  const later = ask(3, "later").then((name) => answered.push(name));
  clock.advance(5);
  await settle();
  expect(answered).toEqual(["free", "later"]);
  release();
  await settle();
  clock.advance(5);
  await Promise.all([...asked, later]);
  expect(answered).toEqual(["free", "later", "held", "next"]);
  expect(runs.map(({ names }) => names)).toEqual([["held", "free"], ["held"], ["later"], ["next"]]);
});

test("while the database is away all are told so, and none is tried again", async () => {
  const { clock, runs, ask } = gatherer(async () => {
    throw away;
  });
  const answers = Promise.allSettled([ask(1), ask(2)]);
  clock.advance(5);
  expect(await answers).toMatchObject([{ reason: away }, { reason: away }]);
  expect(runs.length).toBe(1);
});

test("a request that finds too many before it is refused, and those are not lost", async () => {
  let end = (): void => undefined;
  const { clock, ask } = gatherer(async (names) => {
    if (names[0] === "n100") await new Promise<void>((resolve) => (end = resolve));
    return done(names);
  });
  const first = ask(100);
  clock.advance(5);
  const waiting = Array.from({ length: limits.maxWaiting }, (_, node) => ask(node));
  await expect(ask(50)).rejects.toThrow(GathererFull);
  end();
  await first;
  for (let turn = 0; turn < 3; turn += 1) {
    await settle();
    clock.advance(5);
  }
  expect((await Promise.all(waiting)).length).toBe(limits.maxWaiting);
});
