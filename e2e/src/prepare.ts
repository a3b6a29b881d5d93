// node e2e/src/prepare.ts FOLDER: makes the demonstration there that tests copy, and ends.
import { mkdirSync, rmSync } from "node:fs";
import { prepareDemonstration } from "./installation.ts";

/** Ends what hangs; a machine on which everything else runs as well needs five minutes. */
const patienceMs = 600_000;

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("which folder?");
rmSync(folder, { recursive: true, force: true });
// As the controller makes it: no other user reads its keys.
mkdirSync(folder, { recursive: true, mode: 0o700 });
await prepareDemonstration(folder, AbortSignal.timeout(patienceMs));
