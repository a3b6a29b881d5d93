/** A mask to choose from. */
export interface SubnetMask {
  /** Bits, 32 to 1. */
  readonly prefix: number;
  /** Dotted. */
  readonly mask: string;
  /** The mask with its prefix in brackets: `255.255.255.0(24)` (ambiguity A-30). */
  readonly label: string;
}

const dotted = (prefix: number): string =>
  [0, 8, 16, 24]
    .map((from) => Math.max(0, Math.min(8, prefix - from)))
    .map((ones) => 256 - 2 ** (8 - ones))
    .join(".");

/** The masks of IPv4 from the narrowest, 32, to the widest, 1 (specification section 3). */
export const subnetMasks: readonly SubnetMask[] = Array.from({ length: 32 }, (_, at) => {
  const prefix = 32 - at;
  const mask = dotted(prefix);
  return { prefix, mask, label: `${mask}(${prefix})` };
});
