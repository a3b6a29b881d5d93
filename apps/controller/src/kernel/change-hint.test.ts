import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createHint } from "./change-hint.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a thousand changes in a second are at most ten hints, and the first is sent immediately", async () => {
  let sent = 0;
  const hint = createHint(
    async () => ++sent,
    (error) => expect.fail(String(error)),
  );
  hint.send();
  expect(sent).toBe(1);
  for (let ms = 0; ms < 1000; ms++) {
    hint.send();
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(sent).toBeGreaterThanOrEqual(10);
  expect(sent).toBeLessThanOrEqual(11);
  await vi.advanceTimersByTimeAsync(1000);
  const settled = sent;
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toBe(settled);
});

test("the last change is not lost at the end, and a failure is reported, not thrown", async () => {
  const failures: unknown[] = [];
  let sent = 0;
  const hint = createHint(
    async () => {
      sent++;
      throw new Error("gone");
    },
    (error) => failures.push(error),
  );
  hint.send();
  hint.send();
  await hint.close();
  expect(sent).toBe(2);
  expect(failures).toHaveLength(2);
});
