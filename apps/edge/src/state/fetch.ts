import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { appliedDelta, type SectionDelta } from "@weft/contract/device/v1/delta.ts";
import { namesParts, partsOf, replacedParts } from "@weft/contract/device/v1/space.ts";
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

/** A section on the disk from which another one may be made. */
interface Base {
  readonly hash: string;
  readonly text: string;
}

/** A head whose sections are on their way. */
export interface Fetch {
  readonly head: StateHead;
  readonly missing: Set<string>;
  readonly contents: Map<string, ReceivedSection>;
  /** By the hash of a section that is missing; null: all of them are requested in full. */
  bases: Map<string, Base> | null;
  /** When they were asked for last, or some of them came, ms on the monotonic clock. */
  requestedAt: number;
}

/** Characters of sections that are kept for the next state, as texts. */
const maxKept = 16_777_216;

/**
 * Sections that came for a state that the connection was lost for, or a newer one took the place of. A slow line would else
 * carry them again from the first one on, and a large state never as a whole. The latest are kept.
 */
export class KeptSections {
  readonly #texts = new Map<string, string>();
  readonly #max: number;
  #size = 0;

  constructor(max = maxKept) {
    this.#max = max;
  }

  keep({ contents }: Pick<Fetch, "contents">): void {
    for (const [hash, { text }] of contents) {
      if (this.#texts.has(hash)) continue;
      this.#texts.set(hash, text);
      this.#size += text.length;
    }
    for (const [hash, text] of this.#texts) {
      if (this.#size <= this.#max) break;
      this.#texts.delete(hash);
      this.#size -= text.length;
    }
  }

  /** Gives a state what it misses and is here. */
  give({ missing, contents }: Pick<Fetch, "missing" | "contents">): void {
    for (const hash of missing) {
      const text = this.#texts.get(hash);
      if (text === undefined) continue;
      contents.set(hash, { content: JSON.parse(text), text });
      missing.delete(hash);
    }
  }

  clear(): void {
    this.#texts.clear();
    this.#size = 0;
  }
}

export const newFetch = (head: StateHead, has: (hash: string) => boolean): Fetch => ({
  head,
  missing: missingSections(head, has),
  contents: new Map(),
  bases: new Map(),
  requestedAt: 0,
});

/**
 * Reads from what missing sections may be made: from those of the same name in the state that runs, and parts from
 * those in their place.
 */
export const readBases = async (
  { head, missing, contents, bases }: Fetch,
  running: StateHead,
  cache: Pick<SectionCache, "read">,
): Promise<void> => {
  if (bases === null) return;
  const read = async (hash: string) => contents.get(hash) ?? (await cache.read(hash));
  const pairs: (readonly [string, string])[] = [];
  for (const [name, hash] of Object.entries(head.sections)) {
    const base = running.sections[name];
    if (base === undefined || base === hash) continue;
    pairs.push([hash, base]);
    if (!namesParts(name)) continue;
    const [was, is] = [await read(base), await read(hash)];
    pairs.push(...replacedParts(partsOf(name, was?.content), partsOf(name, is?.content)));
  }
  for (const [hash, base] of pairs) {
    if (!missing.has(hash) || bases.has(hash)) continue;
    const section = await read(base);
    if (section) bases.set(hash, { hash: base, text: section.text });
  }
};

/** Hashes of the bases of sections that are missing, by the hashes of these. */
export const basesOf = ({ missing, bases }: Fetch): Record<string, string> =>
  Object.fromEntries(
    [...(bases ?? [])].flatMap(([hash, base]) => (missing.has(hash) ? [[hash, base.hash]] : [])),
  );

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

/**
 * Takes sections that came as deltas in answer to `need`.
 * @returns false: one of them does not give the section that it is to give
 */
export const takeDeltas = (
  { missing, contents, bases }: Fetch,
  deltas: Readonly<Record<string, SectionDelta>>,
): boolean => {
  for (const [hash, delta] of Object.entries(deltas)) {
    if (!missing.has(hash)) continue;
    const base = bases?.get(hash);
    const text = base?.hash === delta.base ? appliedDelta(delta, base.text) : null;
    if (text === null || sha256(text) !== hash) return false;
    let content: unknown;
    try {
      content = JSON.parse(text);
    } catch {
      return false;
    }
    contents.set(hash, { content, text });
    missing.delete(hash);
  }
  return true;
};
