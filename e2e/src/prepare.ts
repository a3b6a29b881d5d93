// node e2e/src/prepare.ts FOLDER: makes the demonstration there that tests copy, and ends.
import { mkdirSync, rmSync } from "node:fs";
import { prepareDemonstration } from "./installation.ts";

/** Of a machine on which everything else runs as well. */
const patienceMs = 300_000;

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("which folder?");
rmSync(folder, { recursive: true, force: true });
// As the controller makes it: no other user reads its keys.
mkdirSync(folder, { recursive: true, mode: 0o700 });
const late = setTimeout(() => {
  console.error(`the demonstration was not there after ${patienceMs / 1000} s`);
  process.exit(1);
}, patienceMs);
await prepareDemonstration(folder);
clearTimeout(late);
