/** Contents of sections as the messages that carry them. */
import { maxSectionBytes } from "@weft/contract/device/v1/messages.ts";

/** Contents by hash, as many in one message as fit. Pure. */
export function packSections(
  rows: readonly { readonly hash: string; readonly content: unknown }[],
): Record<string, unknown>[] {
  const packed: Record<string, unknown>[] = [];
  let room = 0;
  for (const { hash, content } of rows) {
    const size = Buffer.byteLength(JSON.stringify(content)) + hash.length + 4;
    if (packed.length === 0 || size > room) {
      packed.push({});
      room = maxSectionBytes;
    }
    Object.assign(packed.at(-1) ?? {}, { [hash]: content });
    room -= size;
  }
  return packed;
}
