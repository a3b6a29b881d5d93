import { expect, test } from "vitest";
import { waitUntil } from "./daemon.ts";
import { monitor } from "./monitor.ts";

test("a watcher that crashes is started again, and each time what it missed is asked for", async () => {
  const lines: (string | null)[] = [];
  const end = monitor(["sh", "-c", "printf 'one\\n'; kill -SEGV $$"], (line) => lines.push(line));
  await waitUntil("its second end", () => lines.filter((one) => one === "one").length === 2, 5_000);
  end();
  const before = lines.slice(0, lines.lastIndexOf("one"));
  expect(before.filter((one) => one === null)).toHaveLength(2);
});

test("one that ran for a while is started again without a pause", async () => {
  const at: number[] = [];
  const end = monitor(["sh", "-c", "sleep 1.2"], (line) => {
    if (line === null) at.push(performance.now());
  });
  await waitUntil("its start after its end", () => at.length >= 2, 10_000);
  end();
  expect((at[1] ?? 0) - (at[0] ?? 0)).toBeLessThan(500);
});
