import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { inRoot } from "./repository.ts";

/** Two commands beside each other; each says who it is, in one write, and would stay for a minute. */
const program = `
  import { runCommand } from ${JSON.stringify(inRoot("tools/src/run-command.ts"))};
  const argv = [process.execPath, "-e", "console.log(process.pid); setTimeout(() => {}, 60_000)"];
  const ends = await Promise.all([runCommand(argv, { plain: true }), runCommand(argv, { plain: true })]);
  console.log(ends.map(({ code }) => "ended:" + code).join(" "));
`;

/**
 * CPU time of two loops beside each other on one CPU, the second one yielding. Both end at the same
 * moment: one that started late would go on alone.
 */
const race = `
  import { runCommand } from ${JSON.stringify(inRoot("tools/src/run-command.ts"))};
  const loop = \`while (Date.now() < \${Date.now() + 3000}); console.log(process.cpuUsage().user)\`;
  const argv = ["setsid", "--wait", "taskset", "--cpu-list", "0", process.execPath, "-e", loop];
  const first = runCommand(argv, { capture: true });
  const second = runCommand(argv.slice(2), { capture: true, yields: true });
  console.log(JSON.stringify((await Promise.all([first, second])).map(({ output }) => Number(output))));
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

test("a command that yields leaves the CPU to a program of another session", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", race], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(child, "close");
  const [first = 0, second = 0] = JSON.parse(text) as number[];
  expect(first).toBeGreaterThan(0);
  // A tenth of the weight each: half would mean that neither of them yields.
  expect(second).toBeLessThan(first / 2);
});
