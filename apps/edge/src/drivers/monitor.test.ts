import { expect, onTestFinished, test } from "vitest";
import { waitUntil } from "./daemon.ts";
import { monitor, pauseMs } from "./monitor.ts";

test("a crashed watcher is restarted, and missed changes are read each time", async () => {
  const lines: (string | null)[] = [];
  onTestFinished(
    monitor(["sh", "-c", "printf 'one\\n'; kill -SEGV $$"], (line) => lines.push(line)),
  );
  const isTwice = () => lines.filter((line) => line === "one").length >= 2;
  await waitUntil("what it says the second time", isTwice, 60_000);
  // Once when it ended and once when it was started again. An end may be noticed before its last line.
  const second = lines.indexOf("one", lines.indexOf("one") + 1);
  const before = lines.slice(0, second).filter((line) => line === null);
  expect(before.length).toBeGreaterThanOrEqual(2);
});

test("one that ends by itself is started again", async () => {
  const lines: (string | null)[] = [];
  onTestFinished(monitor(["sh", "-c", "printf 'on\\n'; sleep 0.1"], (line) => lines.push(line)));
  const isTwice = () => lines.filter((line) => line === "on").length >= 2;
  await waitUntil("its second start", isTwice, 60_000);
});

test("what it complains of is read where somebody listens", async () => {
  const complaints: string[] = [];
  onTestFinished(
    monitor(
      ["sh", "-c", "echo lost >&2; sleep 60"],
      () => undefined,
      (line) => complaints.push(line),
    ),
  );
  await waitUntil("the complaint", () => complaints.length > 0, 60_000);
  expect(complaints[0]).toBe("lost");
});

test("one that ran for a while is started again without a pause, one that always ends once a second", () => {
  expect([1_000, 60_000].map(pauseMs)).toEqual([0, 0]);
  expect([0, 400].map(pauseMs)).toEqual([1_000, 600]);
});
