import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** Vite's manifest (https://vite.dev/guide/backend-integration), as far as it is read here. */
const manifestSchema = z.record(
  z.string(),
  z.object({ file: z.string(), name: z.string().optional() }),
);

/**
 * The part that is named with the page (apps/console/chunks.ts): the largest of those that every screen needs. It travels
 * while the first script does and runs, when the connection would wait for what that script asks for. With more than
 * this one the first script itself would come later, and everything that it asks for.
 */
const earlyPart = "library";

/** Pages without a session, which do without it. */
const withoutSession = /^\/(?:login|forget|exception|temp)(?:\/|$)/;

const linkOf = (manifest: string): string | null => {
  const parts = manifestSchema.parse(JSON.parse(readFileSync(manifest, "utf8")));
  const part = Object.values(parts).find(({ name }) => name === earlyPart);
  return part ? `</${part.file}>; rel=modulepreload; fetchpriority=low` : null;
};

/** `Link` header (RFC 8288) of the page at a path of a built console; null: none. */
export function pagePreloads(folder: string): (pathname: string) => string | null {
  const manifest = join(folder, ".vite/manifest.json");
  let read = { at: 0, link: null as string | null };
  return (pathname) => {
    if (withoutSession.test(pathname)) return null;
    // A console that was built elsewhere may come without: it finds the file by itself.
    const at = statSync(manifest, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    // It may be built again while this runs: an old name would be fetched for nothing.
    if (at !== read.at) read = { at, link: at === 0 ? null : linkOf(manifest) };
    return read.link;
  };
}
