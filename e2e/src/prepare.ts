// node e2e/src/prepare.ts FOLDER: makes the demonstration there that tests copy, and ends.
import { mkdirSync, rmSync } from "node:fs";
import { prepareDemonstration } from "./installation.ts";

/** Of a machine on which everything else runs as well. */
const PATIENCE_MS = 300_000;

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("which folder?");
rmSync(folder, { recursive: true, force: true });
// As the controller makes it: no other user reads its keys.
mkdirSync(folder, { recursive: true, mode: 0o700 });
const late = setTimeout(() => {
  console.error(`the demonstration was not there after ${PATIENCE_MS / 1000} s`);
  process.exit(1);
}, PATIENCE_MS);
await prepareDemonstration(folder);
clearTimeout(late);
