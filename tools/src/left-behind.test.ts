import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { endLeftBehind, programsWith } from "./left-behind.ts";

const folder = `/nowhere/weft-tests-${process.pid}`;
const sleeper = (TMPDIR: string) =>
  spawn("sleep", ["60"], { detached: true, stdio: "ignore", env: { ...process.env, TMPDIR } });

test.runIf(process.platform === "linux")(
  "a program that a run left behind is named and ended, and no other",
  async () => {
    const [own, foreign] = [sleeper(folder), sleeper(`${folder}0`)];
    const ended = once(own, "exit");
    await expect.poll(() => programsWith(folder)).toEqual([{ pid: own.pid, command: "sleep 60" }]);
    expect(await endLeftBehind(() => programsWith(folder), 0)).toEqual([
      { pid: own.pid, command: "sleep 60" },
    ]);
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect(foreign.exitCode).toBe(null);
    foreign.kill();
  },
);
