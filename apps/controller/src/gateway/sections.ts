/** Contents of sections as the messages that carry them. */
import { maxSectionBytes } from "@weft/contract/device/v1/messages.ts";

interface SectionText {
  readonly hash: string;
  /** JSON. */
  readonly text: string;
}

/** A row from before sections were stored as canonical text has blanks: with them one near the limit fits in no message. */
const withoutBlanks = (text: string): string =>
  Buffer.byteLength(text) > maxSectionBytes ? JSON.stringify(JSON.parse(text)) : text;

/**
 * Messages `sections` as text, each with as many contents as fit. The texts go into them as they are stored: they are
 * neither read nor written again between the compile and the device, unless they are too large. Pure.
 */
export function sectionMessages(
  { epoch, serial }: { readonly epoch: number; readonly serial: number },
  rows: readonly SectionText[],
): string[] {
  const packed: string[][] = [];
  let room = 0;
  for (const { hash, text: stored } of rows) {
    const text = withoutBlanks(stored);
    const size = Buffer.byteLength(text) + hash.length + 4;
    if (packed.length === 0 || size > room) {
      packed.push([]);
      room = maxSectionBytes;
    }
    packed.at(-1)?.push(`"${hash}":${text}`);
    room -= size;
  }
  const head = `"type":"sections","epoch":${epoch},"serial":${serial}`;
  return packed.map((contents) => `{${head},"contents":{${contents.join(",")}}}`);
}
