/** What the browser has to fetch of the built console, by screen, and whether that is within the budget. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { consoleFolder, ensureConsoleBuilt } from "./console-build.ts";
import { type Budget, budget } from "./size-budget.ts";
import type { TestResult } from "./test-reporter.ts";

/** One chunk of Vite's manifest (https://vite.dev/guide/backend-integration). */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly isDynamicEntry?: boolean;
}
export type Manifest = Readonly<Record<string, Chunk>>;

/** Bytes of some files. */
export interface Size {
  readonly raw: number;
  readonly gzip: number;
  readonly brotli: number;
  readonly files: number;
}

const entry = "index.html";
const parts = {
  calls: "src/client/load-session.ts",
  screens: "src/app/routed.tsx",
  shell: "src/app/signed-in.tsx",
};
const firstList = "src/domains/devices/cpe/cpe-page.tsx";

/** Files that a chunk cannot do without: its own, its stylesheets and those of what it imports. */
export function filesOf(manifest: Manifest, ...keys: readonly string[]): Set<string> {
  const files = new Set<string>();
  const visited = new Set<string>();
  const visit = (key: string): void => {
    if (visited.has(key)) return;
    visited.add(key);
    const chunk = manifest[key];
    if (!chunk) throw new Error(`the built console has no ${key}`);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const other of chunk.imports ?? []) visit(other);
  };
  for (const key of keys) visit(key);
  return files;
}

export type Measure = (file: string) => Omit<Size, "files">;

/** Of a file of the built console, compressed as a server would at its best. */
export function measureBuilt(file: string): Omit<Size, "files"> {
  const bytes = readFileSync(path.join(consoleFolder, file));
  return {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes).length,
  };
}

function sum(files: Iterable<string>, measure: Measure): Size {
  const total = { raw: 0, gzip: 0, brotli: 0, files: 0 };
  for (const file of files) {
    const size = measure(file);
    total.raw += size.raw;
    total.gzip += size.gzip;
    total.brotli += size.brotli;
    total.files += 1;
  }
  return total;
}

/**
 * What is fetched for each thing that the budget names, for each view beside what the first list
 * brought (all lists share its table and its forms), and each file.
 */
export function sizesOf(manifest: Manifest, measure: Measure): Readonly<Record<string, Size>> {
  // A part has a file of its own in front of its chunk, or is the chunk.
  const [session, routed, shell] = Object.entries(parts).map(([name, key]) =>
    manifest[key]
      ? key
      : (Object.keys(manifest).find((one) => one.startsWith(`_${name}-`) && one.endsWith(".js")) ??
        key),
  ) as [string, string, string];
  const known = filesOf(manifest, entry, session, routed, shell, firstList);
  const sizes: Record<string, Size> = {
    login: sum(filesOf(manifest, entry), measure),
    shell: sum(filesOf(manifest, entry, session, routed, shell), measure),
    "first list": sum(known, measure),
  };
  for (const [key, chunk] of Object.entries(manifest)) {
    if (!chunk.isDynamicEntry || [session, routed, shell, firstList].includes(key)) continue;
    const own = [...filesOf(manifest, key)].filter((file) => !known.has(file));
    sizes[key] = sum(own, measure);
  }
  for (const [key, chunk] of Object.entries(manifest)) {
    if (chunk.file.endsWith(".js"))
      sizes[`file ${chunkName(key, chunk)}`] = sum([chunk.file], measure);
  }
  return sizes;
}

/** The name of a chunk without what changes with its content. */
const chunkName = (key: string, { file }: Chunk): string =>
  key.startsWith("_") ? path.basename(file).replace(/-[\w-]{8}\.js$/, "") : key;

/** What a thing may weigh, bytes of Brotli. */
export function limitOf(name: string, { named, view, file }: Budget): number {
  return named[name]?.brotli ?? (name.startsWith("file ") ? file : view);
}

/** A result for each thing that is measured; a limit that nothing needs any more fails as well. */
export function evaluateSizes(sizes: Readonly<Record<string, Size>>, kept: Budget): TestResult[] {
  const results = Object.entries(sizes).map(([name, size]): TestResult => {
    const limit = limitOf(name, kept);
    const most = kept.named[name]?.requests;
    const pieces = [
      ...(size.brotli > limit ? [`${size.brotli} bytes of Brotli, at most ${limit}`] : []),
      ...(most !== undefined && size.files > most ? [`${size.files} files, at most ${most}`] : []),
    ];
    return result(name, pieces.join("; "));
  });
  const gone = Object.keys(kept.named).filter((name) => !sizes[name]);
  return [...results, ...gone.map((name) => result(name, "has a limit, and is not there"))];
}

const result = (name: string, message: string): TestResult => ({
  ...{ id: `build > size > ${name}`, title: `${name} is within the size budget`, ms: 0 },
  state: message === "" ? "passed" : "failed",
  ...(message !== "" && { message }),
});

const readManifest = (): Manifest =>
  JSON.parse(readFileSync(path.join(consoleFolder, ".vite/manifest.json"), "utf8")) as Manifest;

/** Evaluates the console as it was built last. */
export const evaluateBuilt = (): TestResult[] =>
  evaluateSizes(sizesOf(readManifest(), measureBuilt), budget);

if (import.meta.main) {
  await ensureConsoleBuilt();
  const rows = Object.entries(sizesOf(readManifest(), measureBuilt))
    .sort(([, one], [, other]) => other.brotli - one.brotli)
    .map(([name, size]) => ({ name, ...size, limit: limitOf(name, budget) }));
  console.table(rows);
}
