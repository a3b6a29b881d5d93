// npm run test:clone: `.ci/run` on main in a fresh clone; `-- NAME`: on a branch. After a success the file that
// `git rev-parse --git-path tested-tree` names holds the hash of the tree that passed.
import "./assert-node.ts";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { root } from "./repository.ts";
import { runCommand } from "./run-command.ts";

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", args, { cwd, encoding: "utf8" }).trim();

const branch = process.argv[2] ?? "main";
const clone = mkdtempSync(path.join(os.tmpdir(), "weft-clone-"));
try {
  git(root, "clone", "--quiet", "--branch", branch, root, clone);
  const tree = git(clone, "rev-parse", "HEAD^{tree}");
  console.log(
    `test:clone: ${branch} is ${git(clone, "log", "-1", "--format=%h %s")}, tree ${tree}`,
  );
  // `.ci/run` ends by itself before this, whatever hangs.
  const options = { cwd: clone, capture: true, limitMs: 40 * 60_000 };
  const { code, output } = await runCommand(["bash", ".ci/run"], options);
  const log = path.join(os.tmpdir(), `weft-clone-${tree.slice(0, 8)}.log`);
  writeFileSync(log, output);
  console.log(`${output.split("\n").slice(-60).join("\n")}test:clone: all of it is in ${log}`);
  const tested = path.resolve(root, git(root, "rev-parse", "--git-path", "tested-tree"));
  if (code === 0) writeFileSync(tested, `${tree}\n`);
  process.exitCode ||= code;
} finally {
  rmSync(clone, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
