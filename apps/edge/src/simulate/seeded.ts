/** Numbers that look random and are not: the same inputs give the same value. */

/** 32-bit FNV-1a hash of a text (Fowler, Noll, Vo). */
export const seedOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

/** At least 0, below 1; spread evenly over its inputs (finaliser of MurmurHash3). */
export const seededFraction = (...inputs: readonly number[]): number => {
  let hash = 0x9e3779b9;
  for (const input of inputs) {
    hash = Math.imul(hash ^ (input >>> 0), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return (hash >>> 0) / 2 ** 32;
};
