// Every script of package.json may be the first command after a clone: none may need what npm
// puts into node_modules/.bin, and all start under the Node that the lock file pins.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { inRoot, readJson } from "./repository.ts";

const { scripts } = readJson<{ scripts: Record<string, string> }>("package.json");
const launched = /^exec (?:env [A-Z_]+=\w+ )?node tools\/src\/run\.mjs (?:--production )?(\S+)/;
const alone = [
  // It repairs the lock file, without which nothing can be installed, and needs no package.
  ["lock", "node tools/src/fix-lock.mjs"],
  // It runs `.ci/run` in a clone, and nothing of this folder.
  ["test:clone", "exec bash .ci/clone"],
];

test("every script goes through run.mjs, by the path of a program", () => {
  const others = Object.entries(scripts).filter(([, line]) => !launched.test(line));
  expect(others).toEqual(alone);
  const programs = Object.values(scripts).flatMap((line) => line.split(" ").filter(isProgram));
  expect(programs.length).toBeGreaterThanOrEqual(Object.keys(scripts).length);
  expect(programs.filter((program) => !existsSync(inRoot(program)))).toEqual([]);
});

const isProgram = (part: string): boolean => /\.(ts|mjs)$|\/bin\//.test(part);

test("no script has another before or after it", () => {
  const around = Object.keys(scripts).filter((name) =>
    ["pre", "post"].some((part) => name.startsWith(part) && name.slice(part.length) in scripts),
  );
  expect(around).toEqual([]);
});

// As Node 20 has it: no way to become another program.
const withoutExecve = ["--import", "data:text/javascript,process.execve=undefined"];

describe.each([
  ["in the place of its process", []],
  ["as a child, where Node cannot replace its process", withoutExecve],
])("run.mjs runs a program %s", (_, flags) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "weft-run-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  function run(program: string, ...args: string[]): ChildProcess {
    const file = path.join(folder, "program.mjs");
    writeFileSync(file, program);
    const argv = [...flags, inRoot("tools/src/run.mjs"), file, ...args];
    return spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  }

  const output = (child: ChildProcess): Promise<string> =>
    child.stdout ? text(child.stdout) : Promise.resolve("");

  test("with its arguments, under the pinned Node, which comes first in PATH", async () => {
    const printed = output(
      run(
        `import { execFileSync } from "node:child_process";
        const first = execFileSync("node", ["--print", "process.execPath"], { encoding: "utf8" });
        console.log(JSON.stringify([process.execPath, first.trim(), ...process.argv.slice(2)]));`,
        "a b",
        "--production",
      ),
    );
    const pinned = inRoot(`node_modules/node-${process.platform}-${process.arch}/bin/node`);
    expect(JSON.parse(await printed)).toEqual([pinned, pinned, "a b", "--production"]);
  });

  test("and ends with its code", async () => {
    const child = run("process.exit(42);");
    expect(await once(child, "exit")).toEqual([42, null]);
  });

  test.each(["SIGTERM", "SIGINT"] as const)("which is sent %s", async (signal) => {
    const child = run(
      `process.once("${signal}", () => { console.log("received"); process.exit(7); });
      setInterval(() => {}, 1000);
      console.log("ready");`,
    );
    const received: string[] = [];
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      received.push(chunk.trim());
      if (chunk.includes("ready")) child.kill(signal);
    });
    expect(await once(child, "exit")).toEqual([7, null]);
    expect(received).toEqual(["ready", "received"]);
  });
});
