/** Contents of sections as the messages that carry them. */
import { deltaOf, type SectionDelta } from "@weft/contract/device/v1/delta.ts";
import { maxSectionBytes } from "@weft/contract/device/v1/messages.ts";
import { type StateId, stateIdOf } from "@weft/contract/device/v1/state.ts";

export interface SectionText {
  readonly hash: string;
  /** JSON. */
  readonly text: string;
}

/** A row from before sections were stored as canonical text has blanks: with them one near the limit fits in no message. */
const withoutBlanks = (text: string): string =>
  Buffer.byteLength(text) > maxSectionBytes ? JSON.stringify(JSON.parse(text)) : text;

/**
 * Bytes of sections in one message, but for a section that is larger by itself: a slow line has to carry so much within the
 * time that a device has to read (session.ts), and what is small does not wait for long.
 */
export const messageBytes = 131_072;

/** A section that a device needs. */
interface GivenSection extends SectionText {
  /** From one that the device has; null: it is given in full. */
  readonly delta: SectionDelta | null;
}

/**
 * What a device needs of the sections that were read, as deltas where these are shorter. Pure.
 * @param bases hashes of sections that it has, by hashes of those that it needs
 */
export function givenSections(
  hashes: readonly string[],
  bases: Readonly<Record<string, string>>,
  rows: readonly SectionText[],
): GivenSection[] {
  const texts = new Map(rows.map(({ hash, text }) => [hash, text]));
  return [...new Set(hashes)].flatMap((hash) => {
    const text = texts.get(hash);
    if (text === undefined) return [];
    const base = bases[hash];
    const baseText = base === undefined ? undefined : texts.get(base);
    if (base === undefined || baseText === undefined) return [{ hash, text, delta: null }];
    const delta = deltaOf({ hash: base, text: baseText }, text);
    const isShorter = JSON.stringify(delta).length < text.length;
    return [{ hash, text, delta: isShorter ? delta : null }];
  });
}

/**
 * Messages `sections` as text, each with as many contents as fit in `messageBytes`. The texts go into them as they are stored: they are
 * neither read nor written again between the compile and the device, unless they are too large. Pure.
 */
export function sectionMessages(id: StateId, sections: readonly GivenSection[]): string[] {
  const packed: { readonly contents: string[]; readonly deltas: string[] }[] = [];
  let room = 0;
  for (const { hash, text, delta } of sections) {
    const given = delta ? JSON.stringify(delta) : withoutBlanks(text);
    const size = Buffer.byteLength(given) + hash.length + 4;
    if (packed.length === 0 || size > room) {
      packed.push({ contents: [], deltas: [] });
      room = messageBytes;
    }
    packed.at(-1)?.[delta ? "deltas" : "contents"].push(`"${hash}":${given}`);
    room -= size;
  }
  const head = JSON.stringify({ type: "sections", ...stateIdOf(id) }).slice(1, -1);
  return packed.map(({ contents, deltas }) => {
    const more = deltas.length > 0 ? `,"deltas":{${deltas.join(",")}}` : "";
    return `{${head},"contents":{${contents.join(",")}}${more}}`;
  });
}
