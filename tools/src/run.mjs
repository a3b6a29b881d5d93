// node tools/src/run.mjs [--production] PROGRAM ARGUMENTS: installs what is missing and runs a
// program of the repository with the Node that the lock file pins. Every script of package.json
// goes this way, so that each works as the first command after a clone, with any npm and any Node
// from 20 on. PROGRAM is a path from the root. Plain JavaScript for Node 20.
import { spawn } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled, runtimeOf } from "./install.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const parentWatchMs = 1_000;

/**
 * @param {string} message
 * @returns {never}
 */
function giveUp(message) {
  console.error(`weft: ${message}.`);
  process.exit(1);
}

/**
 * Where Node cannot replace its process (before 22.15): a child that ends with this process, and
 * this process with it, by the same code or signal.
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function runAsChild(program, args, env) {
  const child = spawn(program, args, { stdio: "inherit", env });
  const pass = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
  process.on("SIGTERM", pass);
  process.on("SIGHUP", pass);
  // A terminal sends Ctrl-C to the child as well: passed on it would count as pressed twice.
  process.on("SIGINT", (signal) => process.stdin.isTTY || pass(signal));
  const parent = process.ppid;
  // A killed npm passes nothing on, and would leave an unseen program behind.
  const watch = setInterval(() => process.ppid === parent || pass("SIGTERM"), parentWatchMs);
  if (env.npm_lifecycle_event === undefined) clearInterval(watch);
  child.once("error", (error) => giveUp(`${program} cannot be started: ${error.message}`));
  child.once("exit", (code, signal) =>
    process.exit(code ?? 128 + (signal ? os.constants.signals[signal] : 0)),
  );
}

const args = process.argv.slice(2);
const production = args[0] === "--production";
const [program, ...rest] = production ? args.slice(1) : args;
if (program === undefined) giveUp("usage: node tools/src/run.mjs [--production] PROGRAM ARGUMENTS");
if (Number.parseInt(process.versions.node, 10) < 20) {
  giveUp(`Node 20 or newer is needed to install, this is ${process.versions.node}`);
}
const trouble = ensureInstalled(root, { production });
if (trouble !== null) giveUp(trouble);
const runtime = runtimeOf(root);
if (!("program" in runtime)) {
  giveUp(
    `Node ${runtime.wanted} runs Weft, and npm brings none for ${process.platform} ${process.arch}: ` +
      `install Node ${runtime.wanted} and start again; this is ${process.versions.node}`,
  );
}

// What the program starts by the name of `node` gets the same one.
const first = runtime.pinned ? [path.dirname(runtime.program)] : [];
const env = {
  ...process.env,
  PATH: [...first, process.env.PATH ?? ""].join(path.delimiter),
};
const argv = [path.resolve(root, program), ...rest];
if (process.execve) process.execve(runtime.program, [runtime.program, ...argv], env);
else runAsChild(runtime.program, argv, env);
