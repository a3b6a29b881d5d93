// node tools/src/run.mjs tools/src/with-browser.ts PROGRAM ARGUMENTS: installs the browser of the
// journeys where that is possible, and runs a program of the repository that opens it.
import "./assert-node.ts";
import { pathToFileURL } from "node:url";
import { prepareConsole } from "./console-build.ts";
import { inRoot } from "./repository.ts";

interface Requirement {
  readonly neededBy: string;
}

interface Requirements {
  readonly requirements: readonly Requirement[];
  /** `reasons`: why something is still missing; empty when all is there. */
  ensureInstalled(wanted: readonly Requirement[]): Promise<{ readonly reasons: readonly string[] }>;
}

const [program = ""] = process.argv.splice(2, 1);
// By path and only now: the tools have no package of another workspace among their own.
const file = pathToFileURL(inRoot("lab/src/requirements.ts")).href;
const { requirements, ensureInstalled } = (await import(file)) as Requirements;
const wanted = requirements.filter(({ neededBy }) => neededBy === "browser");
const { reasons } = await ensureInstalled(wanted);
for (const reason of reasons) console.error(`weft: the browser cannot be installed: ${reason}`);
if (reasons.length > 0) process.exit(1);
await prepareConsole();
process.argv[1] = inRoot(program);
await import(pathToFileURL(inRoot(program)).href);
