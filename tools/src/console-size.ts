// npm run size: what the browser has to fetch of the built console, by screen, and whether that is within the budget.
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { consoleFolder, ensureConsoleBuilt } from "./console-build.ts";

/** Vite's manifest: the chunks by module (https://vite.dev/guide/backend-integration). */
export interface Manifest {
  readonly [module: string]: {
    readonly file: string;
    readonly imports?: readonly string[];
    readonly css?: readonly string[];
    readonly isDynamicEntry?: boolean;
  };
}

/** Bytes of Brotli, and files. */
export interface Size {
  readonly brotli: number;
  readonly files: number;
}
type Sizes = Readonly<Record<string, Size>>;

/**
 * At most, in bytes of Brotli: what was measured at the end of November 2026 and a twelfth more, so that one more text
 * fails no build. They find a library that came in by an import, not a sentence. A raised limit needs its reason here.
 */
const limits: Sizes = {
  // React and its DOM 60, start and session 6, the form with its texts 4; styles and the frame in the page 5.
  login: { brotli: 79_000, files: 3 },
  // Schemas and session 40, router and screens 56, core of the component library 76, header, menu and tabs 68.
  shell: { brotli: 346_000, files: 8 },
  // Table, selects and switches, which every other list uses again.
  "first list": { brotli: 456_000, files: 10 },
  // ECharts with lines only; fetched when the first chart is rendered.
  "src/parts/chart/canvas.tsx": { brotli: 158_000, files: 8 },
};
/**
 * Any other screen, beside what the first list has fetched already; the largest is the page of a site, with its reserved addresses 80 in 45
 * files: it shows what does not act of every kind of object, and each has its sentence in both languages. Of that 20 are forms and dialogs,
 * in two files, which come with the first screen that opens one and not with the first list.
 */
const screenLimit: Size = { brotli: 84_000, files: 47 };
const limitOf = (screen: string): Size => limits[screen] ?? screenLimit;

/** Parts of the build that each needs beside those before it (apps/console/chunks.ts). */
const firstParts = {
  login: ["start"],
  shell: ["calls", "screens", "shell"],
  "first list": ["nodes"],
};

/** Adds the files that a chunk cannot do without: its own, its stylesheets and those of what it imports. */
function addFiles(manifest: Manifest, key: string, files: Set<string>): void {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`the built console has no ${key}`);
  if (files.has(chunk.file)) return;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
  for (const imported of chunk.imports ?? []) addFiles(manifest, imported, files);
}

/** What is fetched for the login, the shell, the first list, and for each screen beside these. */
export function sizesOf(manifest: Manifest, bytesOf: (file: string) => number): Sizes {
  const sizeOf = (files: Iterable<string>): Size => {
    const bytes = [...files].map(bytesOf);
    return { brotli: bytes.reduce((sum, one) => sum + one, 0), files: bytes.length };
  };
  const sizes: Record<string, Size> = {};
  // It holds styles and a program itself (apps/console/page.ts).
  const fetched = new Set<string>(["index.html"]);
  for (const [screen, parts] of Object.entries(firstParts)) {
    for (const part of parts) {
      const isPart = (key: string): boolean => key.startsWith(`_${part}-`) && key.endsWith(".js");
      addFiles(manifest, Object.keys(manifest).find(isPart) ?? part, fetched);
    }
    sizes[screen] = sizeOf(fetched);
  }
  for (const [key, { file, isDynamicEntry }] of Object.entries(manifest)) {
    if (!isDynamicEntry || fetched.has(file)) continue;
    const files = new Set<string>();
    addFiles(manifest, key, files);
    sizes[key] = sizeOf([...files].filter((file) => !fetched.has(file)));
  }
  return sizes;
}

/** A line for everything that is above its limit. */
export function aboveLimit(sizes: Sizes): string[] {
  return Object.entries(sizes).flatMap(([screen, { brotli, files }]) => {
    const limit = limitOf(screen);
    if (brotli <= limit.brotli && files <= limit.files) return [];
    const text = `at most ${limit.brotli} and ${limit.files}`;
    return [`${screen}: ${brotli} bytes of Brotli in ${files} files, ${text}`];
  });
}

/** The sizes of the console as it was built last. */
export function builtSizes(): Sizes {
  const manifest = readFileSync(path.join(consoleFolder, ".vite/manifest.json"), "utf8");
  return sizesOf(JSON.parse(manifest), (file) => {
    const plain = path.join(consoleFolder, file);
    // The build has compressed all but small files and pictures already.
    if (existsSync(`${plain}.br`)) return statSync(`${plain}.br`).size;
    return brotliCompressSync(readFileSync(plain)).length;
  });
}

if (import.meta.main) {
  await ensureConsoleBuilt();
  const rows = Object.entries(builtSizes())
    .toSorted(([, one], [, other]) => other.brotli - one.brotli)
    .map(([screen, size]) => ({ screen, ...size, limit: limitOf(screen).brotli }));
  console.table(rows);
}
