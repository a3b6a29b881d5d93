import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { namesParts, partsOf } from "@weft/contract/device/v1/space.ts";
import type { StateHead } from "@weft/contract/device/v1/state.ts";
import { outcomeLine } from "@weft/contract/domains/delivery/outcome-text.ts";
import { reasonOf } from "#edge/log.ts";
import type { SectionCache } from "#store/edge-store.ts";
import { sha256 } from "#store/record.ts";
import { missingSections } from "./plan.ts";

/** A section that came, and the canonical text that it is known by and stored in. */
export interface ReceivedSection {
  readonly content: unknown;
  readonly text: string;
}

/** A head whose sections are on their way. */
export interface Fetch {
  readonly head: StateHead;
  readonly missing: Set<string>;
  readonly contents: Map<string, ReceivedSection>;
  /** When they were asked for last, ms on the monotonic clock. */
  requestedAt: number;
}

export const newFetch = (head: StateHead, has: (hash: string) => boolean): Fetch => ({
  head,
  missing: missingSections(head, has),
  contents: new Map(),
  requestedAt: 0,
});

/**
 * Parts that sections of the head name and that are neither in the cache nor came (docs/adr/0037-space-networks.md):
 * which they are is known once all is there that the head names.
 */
export const missingParts = async (
  { head, contents }: Fetch,
  cache: Pick<SectionCache, "has" | "read">,
): Promise<string[]> => {
  const named: string[] = [];
  for (const [name, hash] of Object.entries(head.sections)) {
    if (!namesParts(name)) continue;
    const section = contents.get(hash) ?? (await cache.read(hash));
    named.push(...partsOf(name, section?.content));
  }
  return named.filter((hash) => !contents.has(hash) && !cache.has(hash));
};

/**
 * Takes what came in answer to `need`; what was not asked for is left aside. Gives the reason why
 * the whole state is to be refused, or null.
 */
export const takeSections = (
  fetch: Fetch,
  contents: Readonly<Record<string, unknown>>,
): string | null => {
  for (const [hash, content] of Object.entries(contents)) {
    if (!fetch.missing.has(hash)) continue;
    let text: string;
    try {
      text = canonicalJson(content);
    } catch (error) {
      // Nested deeper than the stack: such a thing is no section.
      return outcomeLine("unreadable", { hash: hash.slice(0, 12), why: reasonOf(error) });
    }
    if (sha256(text) !== hash) return outcomeLine("hash", { hash: hash.slice(0, 12) });
    fetch.contents.set(hash, { content, text });
    fetch.missing.delete(hash);
  }
  return null;
};
