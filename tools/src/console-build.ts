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
import { compressFiles } from "./compress-files.ts";
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

/**
 * Builds the console when its sources differ from those last built; true if it did. Throws when
 * the build fails; what was built before stays then, and stays until the new one is complete.
 */
export async function ensureConsoleBuilt(): Promise<boolean> {
  const hash = sourceHash();
  const stamped = existsSync(stampFile) ? readFileSync(stampFile, "utf8") : "";
  if (stamped === hash && existsSync(consoleFolder)) return false;
  // A folder of its own, because a running controller may be serving the old one.
  const next = `${consoleFolder}.${process.pid}`;
  const vite = inRoot("node_modules/vite/bin/vite.js");
  const { code } = await runCommand(
    [process.execPath, vite, "build", "--outDir", next, "--emptyOutDir", "--logLevel", "warn"],
    // Whoever asks (a test, say) may run in another mode: what is served is always this one.
    { cwd: inRoot("apps/console"), env: { NODE_ENV: "production" } },
  );
  if (code !== 0) {
    rmSync(next, { recursive: true, force: true });
    throw new Error(`the console does not build: vite ended with code ${code}`);
  }
  await compressFiles(next);
  rmSync(consoleFolder, { recursive: true, force: true });
  renameSync(next, consoleFolder);
  writeFileSync(stampFile, hash);
  return true;
}

if (import.meta.main) {
  console.log((await ensureConsoleBuilt()) ? "console: built" : "console: up to date");
}
