import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Daemons, waitUntil } from "./daemon.ts";

const folders: string[] = [];
const fresh = () => {
  const dir = mkdtempSync(join(tmpdir(), "weft-daemon-"));
  folders.push(dir);
  return dir;
};

afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
});

describe("Daemons", () => {
  it("starts once, is found again by another, and ends", async () => {
    const dir = fresh();
    const daemons = new Daemons(dir);
    daemons.start("one", ["sleep", "60"], { a: 1 });
    const pid = daemons.record("one")?.pid;
    daemons.start("one", ["sleep", "60"], { a: 2 });
    const next = new Daemons(dir);
    expect(next.record("one")).toMatchObject({ pid, want: { a: 1 } });
    expect(next.isAlive("one")).toBe(true);
    await next.stop("one");
    expect(next.names("")).toEqual([]);
    const ended = () => {
      try {
        return !process.kill(pid ?? 0, 0);
      } catch {
        return true;
      }
    };
    await waitUntil("its end", ended, 25_000);
  });
  it("notices a death, and is not deceived by another process of the same number", async () => {
    const dir = fresh();
    const daemons = new Daemons(dir);
    daemons.start("two", ["sleep", "60"], null);
    const record = daemons.record("two");
    process.kill(record?.pid ?? 0, "SIGKILL");
    await waitUntil("its death", () => !daemons.isAlive("two"), 25_000);
    expect(daemons.names("two")).toEqual(["two"]);
    await daemons.stop("two");
  });
  it("does not start again and again what ends each time, until a minute has passed", async () => {
    let now = 0;
    const daemons = new Daemons(fresh(), () => now);
    const start = () => daemons.start("loop", ["/bin/sleep", "no such time"], null);
    for (let turn = 0; turn < 5; turn += 1) {
      start();
      await waitUntil("its end", () => !daemons.isAlive("loop"), 25_000);
    }
    expect(start).toThrow(/loop ended 5 times within a minute: .*invalid time interval/);
    now = 61_000;
    expect(start).not.toThrow();
    await daemons.stop("loop");
  });
  it("keeps logs short while they are written to", async () => {
    const dir = fresh();
    const daemons = new Daemons(dir);
    // It ends by itself: where this test fails, it would go on and fill the memory that files of tests are in.
    const program =
      "setInterval(() => console.log('x'.repeat(100_000)), 10); setTimeout(() => process.exit(), 25_000)";
    daemons.start("loud", [process.execPath, "-e", program], null);
    const size = () => statSync(join(dir, "loud.log")).size;
    await waitUntil("a long log", () => size() > 1_000_000, 10_000);
    daemons.trimLogs();
    expect(size()).toBeLessThan(1_000_000);
    await waitUntil("more of it", () => size() > 0, 10_000);
    expect(readFileSync(join(dir, "loud.log"), "utf8").startsWith("x")).toBe(true);
    await daemons.stop("loud");
  });
  it("says why a program cannot be started", () => {
    expect(() => new Daemons(fresh()).start("three", ["/no/such/program"], null)).toThrow(
      "/no/such/program cannot be started",
    );
  });
});
