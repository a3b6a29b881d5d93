import { expect, test } from "vitest";
import { type Argv, CommandFailed, readLines } from "./exec.ts";

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

test("a tool that fails or takes too long is reported with what it said", async () => {
  const read = (argv: Argv, ms: number) =>
    readLines(argv, () => undefined, ms).catch((error: unknown) => error);
  const failed = await read(["sh", "-c", "echo one; echo why >&2; exit 3"], 60_000);
  expect(failed).toBeInstanceOf(CommandFailed);
  expect(failed).toMatchObject({ status: 3, text: "why" });
  expect(await read(["sleep", "60"], 100)).toMatchObject({ text: "ended by SIGKILL" });
  const missing = readLines(["weft-no-such-tool"], () => undefined, 60_000);
  await expect(missing).rejects.toThrow("ENOENT");
});
