import { execFileSync, spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Listener, LivenessMonitor, parseReceived } from "./listen.ts";

const shown = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:    1240      14    0    0    0     0          0         0     1240      14    0    0    0     0       0          0
   wl12:9876543210 8123456    0    3    0     0          0         0   555       7    0    0    0     0       0          0
`;

test("the received packets of each interface are read, also next to a long number", () => {
  expect([...parseReceived(shown)]).toEqual([
    ["lo", 14],
    ["wl12", 8_123_456],
  ]);
  expect(parseReceived("").size).toBe(0);
});

describe("a liveness monitor", () => {
  const at = (packets: number) => new Map([["wl1", packets]]);

  test("reports nothing about a link that never received a packet", () => {
    const monitor = new LivenessMonitor();
    for (const now of [0, 5_000, 60_000]) monitor.take(at(7), now);
    expect(monitor.answers("wl1", 60_000)).toBeNull();
    expect(monitor.answers("wl2", 60_000)).toBeNull();
  });

  test("reports that a link is down after 1.1 seconds, and that it is up again", () => {
    const monitor = new LivenessMonitor();
    monitor.take(at(7), 0);
    monitor.take(at(8), 250);
    monitor.take(at(8), 1_250);
    expect(monitor.answers("wl1", 1_250)).toBe(true);
    expect(monitor.answers("wl1", 1_350)).toBe(false);
    monitor.take(at(9), 9_000);
    expect(monitor.answers("wl1", 9_000)).toBe(true);
  });

  test("drops a link that was removed, and accepts counters that were reset", () => {
    const monitor = new LivenessMonitor();
    monitor.take(at(7), 0);
    monitor.take(at(8), 250);
    monitor.take(new Map(), 500);
    expect(monitor.answers("wl1", 500)).toBeNull();
    monitor.take(at(3), 750);
    monitor.take(at(1), 1_000);
    expect(monitor.answers("wl1", 1_000)).toBe(true);
  });
});

describe("a listener in a namespace", () => {
  const netns = `weft-ear-${process.pid}`;
  const ip = (...args: string[]) => execFileSync("ip", args);
  beforeAll(() => {
    ip("netns", "add", netns);
    ip("-n", netns, "link", "set", "lo", "up");
  });
  afterAll(() => ip("netns", "del", netns));

  test("reads the namespace's own interface, and its process ends when it is stopped", async () => {
    const listener = new Listener(netns);
    const at = 10_000;
    const ping = () =>
      spawnSync("ip", ["netns", "exec", netns, "ping", "-c", "1", "-W", "1", "127.0.0.1"]);
    await expect
      .poll(() => {
        ping();
        listener.listen(at);
        return listener.answers("lo", at);
      })
      .toBe(true);
    // Nothing came since, at a later time.
    listener.listen(at + 1_300);
    expect(listener.answers("lo", at + 1_300)).toBe(false);
    await listener.stop();
    expect(listener.isRunning).toBe(false);
  });
});
