import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { type Argv, CommandFailed, createRun, endTool, readLines } from "./exec.ts";

test("lines of a tool are given as they come, and other work goes on between them", async () => {
  let count = 0;
  let turns = 0;
  // A turn of the event loop after each chunk: none comes while the whole output is worked on at once.
  let isRunning = true;
  const turn = (): void => {
    turns += 1;
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  await readLines(
    ["sh", "-c", "seq 1 200000"],
    () => {
      count += 1;
    },
    60_000,
  );
  isRunning = false;
  expect(count).toBe(200_000);
  expect(turns).toBeGreaterThan(3);
});

test("a tool that fails or takes too long is reported with its output", async () => {
  const read = (argv: Argv, ms: number) =>
    readLines(argv, () => undefined, ms).catch((error: unknown) => error);
  const failed = await read(["sh", "-c", "echo one; echo why >&2; exit 3"], 60_000);
  expect(failed).toBeInstanceOf(CommandFailed);
  expect(failed).toMatchObject({ status: 3, text: "why" });
  expect(await read(["sleep", "60"], 100)).toMatchObject({ text: "ended by SIGKILL" });
  const missing = readLines(["weft-no-such-tool"], () => undefined, 60_000);
  await expect(missing).rejects.toThrow("ENOENT");
});

/** Starts a program that keeps the tool's output open for a minute, and prints its number. */
const leavesBehind = "sleep 60 & echo $!";

test("a tool that leaves a child process behind has ended all the same, with its output", async () => {
  const said = await createRun()(["sh", "-c", leavesBehind]);
  // It would have been waited for otherwise.
  expect(process.kill(Number(said), 0)).toBe(true);
  process.kill(Number(said), "SIGKILL");
  const lines: string[] = [];
  await readLines(["sh", "-c", leavesBehind], (line) => lines.push(line), 60_000);
  expect(process.kill(Number(lines[0]), 0)).toBe(true);
  process.kill(Number(lines[0]), "SIGKILL");
}, 30_000);

test("a tool that is killed for its time has ended, whatever it has started", async () => {
  const failed = await createRun()(["sh", "-c", `${leavesBehind} >&2; wait`], {
    timeoutMs: 300,
  }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(CommandFailed);
  const [, left] = /(\d+)\s+ended by SIGKILL$/.exec((failed as Error).message) ?? [];
  process.kill(Number(left), "SIGKILL");
}, 30_000);

test("a program that does not heed SIGTERM is killed when it is ended", async () => {
  const deaf = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("ready")';
  const child = spawn(process.execPath, ["-e", deaf], { stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  await endTool(child);
  expect(child.signalCode).toBe("SIGKILL");
  // Again, and of one that could not be started at all.
  await endTool(child);
  const nowhere = "/weft-no-such-tool";
  await endTool(spawn(nowhere).on("error", () => {}));
}, 30_000);
