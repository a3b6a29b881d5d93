import { expect, test } from "vitest";
import { LinkTransitions } from "./link-transitions.ts";

/** What is reported when link 1 answers as the text says: + and -, a step of 200 ms each. */
const notify = (answers: string): string[] => {
  const transitions = new LinkTransitions();
  return [...answers].flatMap((sign, at) =>
    transitions
      .take(new Map([[1, sign === "+"]]), at * 200)
      .map(({ up }) => `${at * 200} ${up ? "up" : "down"}`),
  );
};

test.each([
  ["a link that is first seen is reported", "+++", ["0 up"]],
  ["a fall is reported immediately", "+++---", ["0 up", "600 down"]],
  ["a return is reported once it held for a second", "+-+++++++", ["0 up", "200 down", "1400 up"]],
  ["a short return is none", "+-++-++-++", ["0 up", "200 down"]],
])("%s", (_, answers, reported) => {
  expect(notify(answers)).toEqual(reported);
});

test("a link that falls again and again is reported as down until it holds for 15 s", () => {
  const round = `-${"+".repeat(7)}`;
  const reported = notify(`+${round}${round}${round}${"+".repeat(80)}`);
  expect(reported.filter((one) => one.endsWith("down"))).toHaveLength(3);
  expect(reported.at(-1)).toBe("18600 up");
});

test("a link that is no longer probed is forgotten, and reported again when it is back", () => {
  const transitions = new LinkTransitions();
  expect(transitions.take(new Map([[1, true]]), 0)).toHaveLength(1);
  expect(transitions.take(new Map(), 200)).toEqual([]);
  expect(transitions.reported(1)).toBeNull();
  expect(transitions.take(new Map([[1, true]]), 400)).toEqual([{ id: 1, up: true }]);
  expect(transitions.all()).toEqual([{ id: 1, up: true }]);
});
