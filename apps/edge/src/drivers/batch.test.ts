import { expect, test } from "vitest";
import { failedLines } from "./batch.ts";
import { CommandFailed } from "./exec.ts";

const failure = (stderr: string) =>
  new CommandFailed(["tc", "-force", "-batch", "-"], 1, { stdout: "", stderr });

test("each failed line of a batch has the first error that the tool prints for it", () => {
  const text = `"rate" is required.
Command failed -:2
bfifo: Illegal value for "limit": "12500000000"
Command failed -:3
Cannot find device "nope"
bad action parsing
Illegal "action"
Command failed -:8
Command failed -:9
`;
  expect(failedLines(failure(text))).toEqual([
    { line: 1, why: '"rate" is required.' },
    { line: 2, why: 'bfifo: Illegal value for "limit": "12500000000"' },
    { line: 7, why: 'Cannot find device "nope"' },
    { line: 8, why: "Command failed -:9" },
  ]);
});

test("of a tool that failed as a whole there is none", () => {
  expect(failedLines(failure("spawn tc ENOENT"))).toEqual([]);
  expect(failedLines(new Error("Command failed -:2"))).toEqual([]);
});
