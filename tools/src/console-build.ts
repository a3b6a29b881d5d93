import { createHash } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { compressFiles } from "./compress-files.ts";
import { duration } from "./duration.ts";
import { inRoot } from "./repository.ts";
import { runCommand } from "./run-command.ts";

/** Where the controller finds the built console, absolute. */
export const consoleFolder = inRoot("build/console");

const stampFile = inRoot("build/console.sha256");

// All that can change the built files; the lock stands for every package.
const sources = [
  "apps/console",
  "packages/contract/package.json",
  "packages/contract/src",
  "package-lock.json",
  "tools/src/compress-files.ts",
  "tsconfig.base.json",
];

function filesBelow(name: string): string[] {
  if (!statSync(inRoot(name)).isDirectory()) return [name];
  return readdirSync(inRoot(name))
    .filter((entry) => entry !== "node_modules" && !/\.test\.tsx?$/.test(entry))
    .sort()
    .flatMap((entry) => filesBelow(path.posix.join(name, entry)));
}

function sourceHash(): string {
  const hash = createHash("sha256");
  for (const file of sources.flatMap(filesBelow)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(inRoot(file)))
      .update("\0");
  }
  return hash.digest("hex");
}

const vite = inRoot("node_modules/vite/bin/vite.js");

/** False in an installation of only what runs (`npm ci --omit=dev`). */
export const canBuildConsole = (): boolean => existsSync(vite);

/** True when the built console is there and is made of the sources as they are. */
export function isConsoleCurrent(hash = sourceHash()): boolean {
  const stamped = existsSync(stampFile) ? readFileSync(stampFile, "utf8") : "";
  return stamped === hash && existsSync(path.join(consoleFolder, "index.html"));
}

/**
 * Builds the console when its sources differ from those last built; true if it did. Throws when
 * the build fails; what was built before stays then, and stays until the new one is complete.
 */
export async function ensureConsoleBuilt(): Promise<boolean> {
  const hash = sourceHash();
  if (isConsoleCurrent(hash)) return false;
  // A folder of its own, because a running controller may be serving the old one.
  const next = `${consoleFolder}.${process.pid}`;
  const { code, output } = await runCommand(
    [process.execPath, vite, "build", "--outDir", next, "--emptyOutDir", "--logLevel", "warn"],
    // The caller (a test, say) may run in another mode: what is served is always this one.
    // Warnings of the bundler are for who works on it: printed when it fails.
    { cwd: inRoot("apps/console"), env: { NODE_ENV: "production" }, capture: true },
  );
  if (code !== 0) {
    console.error(output);
    rmSync(next, { recursive: true, force: true });
    throw new Error(`the console could not be built: vite ended with code ${code}`);
  }
  await compressFiles(next);
  rmSync(consoleFolder, { recursive: true, force: true });
  renameSync(next, consoleFolder);
  writeFileSync(stampFile, hash);
  return true;
}

/** The same for a start: says what it did and how long that took. */
export async function prepareConsole(): Promise<void> {
  if (isConsoleCurrent()) return;
  console.log("weft: building the console …");
  const started = performance.now();
  await ensureConsoleBuilt();
  console.log(`weft: console built, ${duration(performance.now() - started)}`);
}

if (import.meta.main) {
  console.log((await ensureConsoleBuilt()) ? "console: built" : "console: up to date");
}
