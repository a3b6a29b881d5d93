import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { inRoot } from "./repository.ts";
import { runCommand } from "./run-command.ts";

/** Two commands beside each other; each prints its id, in one write, and would stay for a minute. */
const program = `
  import { runCommand } from ${JSON.stringify(inRoot("tools/src/run-command.ts"))};
  const argv = [process.execPath, "-e", "console.log(process.pid); setTimeout(() => {}, 60_000)"];
  const ends = await Promise.all([runCommand(argv), runCommand(argv)]);
  console.log(ends.map(({ code }) => "ended:" + code).join(" "));
`;

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a signal reaches every command that runs, and all of them are gone before the caller", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  const pids = await new Promise<number[]>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const found = [...text.matchAll(/^(\d+)\n/gm)].map(([, pid]) => Number(pid));
      if (found.length === 2) resolve(found);
    });
  });
  expect(pids.filter(isRunning)).toHaveLength(2);
  child.kill("SIGTERM");
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(143);
  expect(text).toContain("ended:143 ended:143");
  expect(pids.filter(isRunning)).toEqual([]);
});

test("a command is ended at its limit, which need not be whole milliseconds", async () => {
  const outcome = await runCommand(["sleep", "60"], { limitMs: 50.5 });
  expect(outcome).toMatchObject({ code: 143, isLate: true });
});
