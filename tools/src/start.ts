// npm start: the demonstration, on a fresh clone as well as on the hundredth start.
import "./assert-node.ts";
import { pathToFileURL } from "node:url";
import { prepareConsole } from "./console-build.ts";
import { inRoot } from "./repository.ts";

await prepareConsole();
process.argv.splice(2, 0, "--demonstration");
// In this process, so that a signal from npm reaches the controller itself.
await import(pathToFileURL(inRoot("apps/controller/src/main.ts")).href);
