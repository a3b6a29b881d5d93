// npm run serve: production. The console is built first where it is missing or older than its
// sources; an installation without build tools gets it from one that has them.
import "./assert-node.ts";
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { canBuildConsole, isConsoleCurrent, prepareConsole } from "./console-build.ts";
import { ensureInstalled } from "./install.mjs";
import { inRoot, root } from "./repository.ts";

function giveUp(message: string): never {
  console.error(`weft: ${message}.`);
  process.exit(1);
}

const { WEFT_CONSOLE: given, WEFT_ROLES: roles = "all" } = process.env;
const servesConsole = /\b(all|api)\b/.test(roles);
if (servesConsole && given) {
  if (!existsSync(path.join(given, "index.html"))) {
    giveUp(`WEFT_CONSOLE (folder): there is no built console in ${path.resolve(given)}`);
  }
} else if (servesConsole && !isConsoleCurrent()) {
  if (!canBuildConsole()) {
    giveUp(
      "the built console is missing or older than its sources, and this installation has no build " +
        "tools. Run `npm run build` in another copy of it and copy the folder build/ to here, or run " +
        "`npm run build` here, which installs them",
    );
  }
  // A build with packages of an older lock would count as one of this.
  const trouble = ensureInstalled(root);
  if (trouble !== null) giveUp(trouble);
  await prepareConsole();
}
// In this process, so that a signal from npm reaches the controller itself.
await import(pathToFileURL(inRoot("apps/controller/src/main.ts")).href);
