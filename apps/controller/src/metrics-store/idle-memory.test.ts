import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { isWorthwhile } from "./idle-memory.ts";

const mb = 2 ** 20;
/** MB that a process returns at least which has made what it does not keep. */
const least = 40;
const idle = { utilization: 0.05, resident: 400 * mb, floor: 0, used: 60 * mb };

describe("a collection is worthwhile", () => {
  test("in an idle process that has grown since the last one", () => {
    expect(isWorthwhile(idle)).toBe(true);
    expect(isWorthwhile({ ...idle, floor: 300 * mb })).toBe(true);
  });

  test.each([
    ["a busy one", { utilization: 0.5 }],
    ["one that has not grown", { floor: 380 * mb }],
    ["one that it would stop for long", { used: 200 * mb }],
  ])("not in %s", (_, other) => {
    expect(isWorthwhile({ ...idle, ...other })).toBe(false);
  });
});

test("an idle process returns what its start left behind, and one without this keeps it", async () => {
  const file = JSON.stringify(path.join(import.meta.dirname, "idle-memory.ts"));
  // Makes 20 times what it keeps at the end, as a start does; then timers, as a server has. A busy machine
  // lets no process be idle for a while: one that is to return waits until it did.
  const program = (isIdle: boolean) => `
    import { returnMemoryWhenIdle } from ${file};
    let kept = [];
    for (let round = 0; round < 20; round += 1)
      kept = Array.from({ length: 200_000 }, (_, at) => ({ at, text: "x" + at }));
    kept = kept.slice(0, 20_000);
    const before = process.memoryUsage.rss();
    const returned = () => Math.round((before - process.memoryUsage.rss()) / ${mb});
    ${isIdle ? "returnMemoryWhenIdle(100);" : ""}
    const end = performance.now() + ${isIdle ? 60_000 : 3_000};
    setInterval(() => {
      kept = kept.map(({ at }) => ({ at, text: "y" + at }));
      if (performance.now() < end && (${!isIdle} || returned() <= ${least})) return;
      console.log(returned());
      process.exit(0);
    }, 200);`;
  const returned = async (isIdle: boolean) => {
    const argv = ["--input-type=module", "-e", program(isIdle)];
    return Number((await promisify(execFile)(process.execPath, argv)).stdout);
  };
  const [returns, keeps] = await Promise.all([returned(true), returned(false)]);
  expect(returns).toBeGreaterThan(least);
  expect(keeps).toBeLessThan(20);
}, 90_000);
