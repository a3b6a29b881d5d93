import { expect, test } from "vitest";
import { waitUntil } from "./daemon.ts";
import { monitor, pauseMs } from "./monitor.ts";

test("a watcher that crashes is started again, and each time what it missed is asked for", async () => {
  const lines: (string | null)[] = [];
  const end = monitor(["sh", "-c", "printf 'one\\n'; kill -SEGV $$"], (line) => lines.push(line));
  await waitUntil(
    "its second end",
    () => lines.filter((one) => one === "one").length === 2,
    30_000,
  );
  end();
  const before = lines.slice(0, lines.lastIndexOf("one"));
  expect(before.filter((one) => one === null)).toHaveLength(2);
});

test("one that ends by itself is started again", async () => {
  const lines: (string | null)[] = [];
  const end = monitor(["sh", "-c", "printf 'on\\n'; sleep 0.1"], (line) => lines.push(line));
  await waitUntil(
    "its second start",
    () => lines.filter((one) => one === "on").length === 2,
    30_000,
  );
  end();
});

test("one that ran for a while is started again without a pause, one that always ends once a second", () => {
  expect([1_000, 60_000].map(pauseMs)).toEqual([0, 0]);
  expect([0, 400].map(pauseMs)).toEqual([1_000, 600]);
});
