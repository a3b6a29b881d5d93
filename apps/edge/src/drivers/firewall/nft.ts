/** How nft is written. Pure. */

/** Interfaces of links in a space's namespace, where there are no others (the contract: wl<id>). */
export const spaceLinks = '"wl*"';

/** The set of the document's links in the main namespace, where there are other interfaces. */
export const linkSet = "s_links";
/** Any of them, as a rule matches it. */
export const anyLink = `@${linkSet}`;

/**
 * Interfaces that are called as links are, in the document or not: one that has left it is taken away
 * after everything else was done. Wireless cards are called wlan0 or wlp2s0. One rule a digit, because
 * nft 1.0.6 makes a wrong range of a set of such patterns (seen).
 */
export const likeLinks = (rule: (name: string) => string): string[] =>
  [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => rule(`"wl${digit}*"`));

/** "51820-51899, 52000": neighbouring ports as ranges, so that a hub's list stays short. */
export const portRanges = (ports: readonly number[]): string => {
  const ranges: [number, number][] = [];
  for (const port of [...new Set(ports)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] + 1 === port) last[1] = port;
    else ranges.push([port, port]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
};

/** `{ "wan1", "wan2" }`. */
export const set = (names: readonly string[]): string =>
  `{ ${[...new Set(names)].map((n) => `"${n}"`).join(", ")} }`;

export const chain = (name: string, rules: readonly string[], base: string | null = null): string =>
  [`  chain ${name} {`, ...(base ? [base] : []), ...rules]
    .map((line, index) => (index === 0 ? line : `    ${line}`))
    .concat("  }")
    .join("\n");

/** Bytes a second that the kernel counts at most, with what may pass at once (nft_limit of Linux: 2^64 ns); faster is no device. */
const mostBytes = 14_000_000_000;

/** Drops what is above a rate, in bit/s. At once may pass a quarter of a second, and some full packets in any case. */
export const dropOver = (rate: number): string => {
  const bytes = Math.min(Math.ceil(rate / 8), mostBytes);
  const burst = Math.max(Math.ceil(bytes / 4), 16_000);
  return `limit rate over ${bytes} bytes/second burst ${burst} bytes drop`;
};
