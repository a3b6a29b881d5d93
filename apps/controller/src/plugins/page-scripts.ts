import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Scripts that are written into a page, and not named by it. */
const inline = /<script>([\s\S]*?)<\/script>/g;

const sourcesOf = (page: string): readonly string[] =>
  [...page.matchAll(inline)].map(
    ([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`,
  );

/**
 * What the content security policy of a built console's page names as the sources of its scripts (CSP Level 3, section
 * 2.3.1): the hash of each that is written into the page. A page without any is allowed none.
 */
export function pageScripts(folder: string): () => readonly string[] {
  const file = join(folder, "index.html");
  let read: { readonly at: number; readonly sources: readonly string[] } = { at: 0, sources: [] };
  return () => {
    const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    // It may be built again while this runs: the browser would refuse the scripts of the new page.
    if (at !== read.at) {
      read = { at, sources: at === 0 ? [] : sourcesOf(readFileSync(file, "utf8")) };
    }
    return read.sources;
  };
}
