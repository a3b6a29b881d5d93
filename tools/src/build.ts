// npm run build: what `npm run serve` serves, the console and the packages of the edge.
import "./assert-node.ts";
import { ensureConsoleBuilt } from "./console-build.ts";
import { inRoot } from "./repository.ts";
import { runCommand } from "./run-command.ts";

console.log((await ensureConsoleBuilt()) ? "build/console: built" : "build/console: up to date");
const { code } = await runCommand([process.execPath, inRoot("apps/edge/build.ts")]);
process.exitCode ||= code;
