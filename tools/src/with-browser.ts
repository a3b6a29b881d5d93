// node tools/src/run.mjs tools/src/with-browser.ts PROGRAM ARGUMENTS: installs the browser of the
// journeys where that is possible, and runs a program of the repository that opens it.
import "./assert-node.ts";
import { pathToFileURL } from "node:url";
import { ensureInstalled, requirements } from "@weft/lab/requirements.ts";
import { prepareConsole } from "./console-build.ts";
import { inRoot } from "./repository.ts";

const [program = ""] = process.argv.splice(2, 1);
const wanted = requirements.filter(({ neededBy }) => neededBy === "browser");
const { reasons } = await ensureInstalled(wanted);
for (const reason of reasons) console.error(`weft: the browser cannot be installed: ${reason}`);
if (reasons.length > 0) process.exit(1);
await prepareConsole();
process.argv[1] = inRoot(program);
await import(pathToFileURL(inRoot(program)).href);
