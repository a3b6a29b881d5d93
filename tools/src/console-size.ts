/** What the browser has to fetch of the built console, by screen, and whether that is within the budget. */
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { consoleFolder, ensureConsoleBuilt } from "./console-build.ts";

/** One chunk of Vite's manifest (https://vite.dev/guide/backend-integration). */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly isDynamicEntry?: boolean;
}
export type Manifest = Readonly<Record<string, Chunk>>;

/** Bytes of Brotli, and files. */
export interface Size {
  readonly brotli: number;
  readonly files: number;
}

/**
 * At most, in bytes of Brotli: what was measured at the end of November 2026 and a twelfth more, so that one more text
 * fails no build. They find a library that came in by an import, not a sentence. A raised limit needs its reason here.
 */
const limits: Readonly<Record<string, Size>> = {
  // React and its DOM 60, start and session 6, the form with its texts 4, styles 2.
  login: { brotli: 79_000, files: 3 },
  // Schemas and session 32, router and screens 53, core of the component library 96, header, menu and tabs 58.
  shell: { brotli: 361_000, files: 9 },
  // Table, selects and switches, which every other list uses again.
  "first list": { brotli: 495_000, files: 12 },
  // ECharts with lines only; fetched when the first chart is rendered.
  "src/parts/chart/canvas.tsx": { brotli: 158_000, files: 8 },
};
/** Any other screen, beside what the first list has fetched already; the largest is the page of a site, 51 in 41 files. */
const screenLimit: Size = { brotli: 55_000, files: 45 };

/** Parts of the login, the shell and the first list: modules, or chunks that the build names so (apps/console/chunks.ts). */
const startParts = { start: "index.html" };
const shellParts = {
  calls: "src/client/load-session.ts",
  screens: "src/app/routed.tsx",
  shell: "src/app/signed-in.tsx",
};
const listParts = { nodes: "src/domains/devices/cpe/cpe-page.tsx" };

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

/** What is fetched for the login, the shell, the first list, and for each screen beside these. */
export function sizesOf(
  manifest: Manifest,
  measure: (file: string) => number,
): Readonly<Record<string, Size>> {
  const sizeOf = (files: Iterable<string>): Size => {
    const sizes = [...files].map(measure);
    return { brotli: sizes.reduce((sum, size) => sum + size, 0), files: sizes.length };
  };
  const keysOf = (named: Readonly<Record<string, string>>): string[] =>
    Object.entries(named).map(([name, key]) => {
      if (manifest[key]) return key;
      const isPart = (one: string): boolean => one.startsWith(`_${name}-`) && one.endsWith(".js");
      return Object.keys(manifest).find(isPart) ?? key;
    });
  const [start, parts, ofList] = [keysOf(startParts), keysOf(shellParts), keysOf(listParts)];
  const known = filesOf(manifest, ...start, ...parts, ...ofList);
  const sizes: Record<string, Size> = {
    login: sizeOf(filesOf(manifest, ...start)),
    shell: sizeOf(filesOf(manifest, ...start, ...parts)),
    "first list": sizeOf(known),
  };
  for (const [key, chunk] of Object.entries(manifest)) {
    if (!chunk.isDynamicEntry || parts.includes(key) || ofList.includes(key)) continue;
    sizes[key] = sizeOf([...filesOf(manifest, key)].filter((file) => !known.has(file)));
  }
  return sizes;
}

/** A line for everything that is above its limit. */
export function aboveLimit(sizes: Readonly<Record<string, Size>>): string[] {
  return Object.entries(sizes).flatMap(([name, { brotli, files }]) => {
    const limit = limits[name] ?? screenLimit;
    if (brotli <= limit.brotli && files <= limit.files) return [];
    const most = `at most ${limit.brotli} and ${limit.files}`;
    return [`${name}: ${brotli} bytes of Brotli in ${files} files, ${most}`];
  });
}

/** The sizes of the console as it was built last. */
export function builtSizes(): Readonly<Record<string, Size>> {
  const read = (file: string): Buffer => readFileSync(path.join(consoleFolder, file));
  const manifest = JSON.parse(read(".vite/manifest.json").toString()) as Manifest;
  // The build has compressed all but small files and pictures already.
  return sizesOf(manifest, (file) => {
    const compressed = path.join(consoleFolder, `${file}.br`);
    return existsSync(compressed)
      ? statSync(compressed).size
      : brotliCompressSync(read(file)).length;
  });
}

if (import.meta.main) {
  await ensureConsoleBuilt();
  const rows = Object.entries(builtSizes())
    .sort(([, one], [, other]) => other.brotli - one.brotli)
    .map(([name, size]) => ({ name, ...size, limit: (limits[name] ?? screenLimit).brotli }));
  console.table(rows);
}
