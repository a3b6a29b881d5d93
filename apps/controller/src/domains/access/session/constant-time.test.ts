import { expect, test } from "vitest";
import { inConstantTime } from "./send-code.ts";

test.each([
  ["done", () => Promise.resolve("done")],
  ["refused", () => Promise.reject(new Error("refused"))],
])(
  "an answer comes with the end of the time, not with that of the work: %s",
  async (outcome, work) => {
    const time = Promise.withResolvers<void>();
    const asked: number[] = [];
    const events: string[] = [];
    const answer = inConstantTime(
      400,
      async () => {
        events.push("working");
        return work();
      },
      (ms) => {
        asked.push(ms);
        return time.promise;
      },
    ).then(
      (text) => events.push(text),
      (error: Error) => events.push(error.message),
    );
    await new Promise((resolve) => setImmediate(resolve));
    events.push("over");
    time.resolve();
    await answer;
    expect(asked).toEqual([400]);
    expect(events).toEqual(["working", "over", outcome]);
  },
);

test("work that takes longer than that is waited for", async () => {
  const work = Promise.withResolvers<string>();
  const answer = inConstantTime(
    400,
    () => work.promise,
    () => Promise.resolve(),
  );
  work.resolve("late");
  expect(await answer).toBe("late");
});
