import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Daemons, waitUntil } from "./daemon.ts";

/** Only ends what hangs. */
const deadlineMs = 60_000;

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
    await waitUntil("its end", ended, deadlineMs);
  });
  it("notices a death, and is not deceived by another process of the same number", async () => {
    const dir = fresh();
    const daemons = new Daemons(dir);
    daemons.start("two", ["sleep", "60"], null);
    const record = daemons.record("two");
    process.kill(record?.pid ?? 0, "SIGKILL");
    await waitUntil("its death", () => !daemons.isAlive("two"), deadlineMs);
    expect(daemons.names("two")).toEqual(["two"]);
    await daemons.stop("two");
  });
  it("ends what one that was killed left running, before the next starts and when it is stopped", async () => {
    const dir = fresh();
    const daemons = new Daemons(dir);
    const file = join(dir, "helper");
    const isThere = (pid: string) => {
      try {
        return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
      } catch {
        return false;
      }
    };
    const started = async (): Promise<string> => {
      rmSync(file, { force: true });
      const program = `sleep 300 & echo $! > ${file}.new; mv ${file}.new ${file}; wait`;
      daemons.start("parent", ["sh", "-c", program], null);
      await waitUntil("a helper", () => existsSync(file), deadlineMs);
      return readFileSync(file, "utf8").trim();
    };
    const kill = async (): Promise<void> => {
      process.kill(daemons.record("parent")?.pid ?? 0, "SIGKILL");
      await waitUntil("its death", () => !daemons.isAlive("parent"), deadlineMs);
    };
    const first = await started();
    await kill();
    expect(isThere(first)).toBe(true);
    const second = await started();
    await waitUntil("the end of the first helper", () => !isThere(first), deadlineMs);
    expect(isThere(second)).toBe(true);
    await daemons.stop("parent", 0);
    await waitUntil("the end of the second helper", () => !isThere(second), deadlineMs);
    const third = await started();
    await kill();
    await daemons.stop("parent");
    await waitUntil("the end of the third helper", () => !isThere(third), deadlineMs);
  });
  it("does not start again and again what ends each time, until a minute has passed", async () => {
    let now = 0;
    const daemons = new Daemons(fresh(), () => now);
    const start = () => daemons.start("loop", ["/bin/sleep", "no such time"], null);
    for (let turn = 0; turn < 5; turn += 1) {
      start();
      await waitUntil("its end", () => !daemons.isAlive("loop"), deadlineMs);
    }
    expect(start).toThrow(/loop ended 5 times within a minute: .*invalid time interval/);
    now = 61_000;
    expect(start).not.toThrow();
    await daemons.stop("loop");
  });
  it("keeps logs short while they are written to", async () => {
    const dir = fresh();
    const daemons = new Daemons(dir);
    // It writes when it is told to, so that the log is compared while nothing is written.
    const program = `head -c 1100000 /dev/zero | tr '\\0' x
      until [ -e "${join(dir, "go-on")}" ]; do sleep 0.05; done
      printf more
      sleep 60`;
    // Where this test fails, the limit ends it.
    daemons.start("loud", ["timeout", "120", "sh", "-c", program], null);
    const log = join(dir, "loud.log");
    await waitUntil("a long log", () => statSync(log).size === 1_100_000, deadlineMs);
    daemons.trimLogs();
    expect(statSync(log).size).toBe(0);
    writeFileSync(join(dir, "go-on"), "");
    await waitUntil("more of it", () => statSync(log).size > 0, deadlineMs);
    // Without a hole as long as what went.
    expect(readFileSync(log, "utf8")).toBe("more");
    await daemons.stop("loud");
  });
  it("reports why a program cannot be started", () => {
    expect(() => new Daemons(fresh()).start("three", ["/no/such/program"], null)).toThrow(
      "/no/such/program cannot be started",
    );
  });
});
