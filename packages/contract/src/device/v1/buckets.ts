/** Long lists of a state in parts, so that one edit changes one part (docs/adr/0018-buckets.md). Pure. */
import { canonicalJson } from "#contract/device/v1/canonical.ts";

/** Items by their id, for lists whose order says nothing; buckets without any are left out. */
export const inBuckets = <Item extends { readonly id: number }>(
  items: readonly Item[],
  buckets: number,
): [bucket: number, items: Item[]][] =>
  [...Map.groupBy(items, ({ id }) => id % buckets)].sort(([one], [other]) => one - other);

/** FNV-1a, 32 bit: spreads texts evenly, proves nothing. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // Its low bits alone are too regular for texts that differ in one digit.
  return (hash ^ (hash >>> 15)) >>> 0;
};

/** One item in so many ends a chunk; none has more than the maximum. */
const meanChunk = 128;
const maxChunk = 1_024;

/**
 * An ordered list in chunks that end where an item says so by its own content: an item more or less
 * changes the chunk that it is in, and moves no later boundary.
 */
export const inChunks = <Item>(items: readonly Item[]): Item[][] => {
  const chunks: Item[][] = [];
  let open: Item[] = [];
  for (const item of items) {
    open.push(item);
    if (open.length < maxChunk && hashOf(canonicalJson(item)) % meanChunk !== 0) continue;
    chunks.push(open);
    open = [];
  }
  if (open.length > 0) chunks.push(open);
  return chunks;
};
