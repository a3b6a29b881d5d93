/**
 * Sets of addresses that the resolver of the LANs learns from answers: it adds what names of a DNS control or of an
 * acceleration group stand for, and the firewall leads connections there by the control's WAN link, or to the group's exit.
 * They outlive loads of rules and the resolver.
 */

/** Table of the firewall. */
const table = "weft";

/** Id of a control, or what an acceleration group is called in names of rules. */
export type LearnedBy = number | string;

export const learnedSet = (by: LearnedBy, family: 4 | 6): string =>
  typeof by === "number" ? `d_dns${family}_${by}` : `d_exit${family}_${by}`;

/** For answers that no control leads: dnsmasq has no way to except a name from those above it. */
export const otherAnswers = 0;

/** An answer that a host keeps longer than this is rare: its connections go where routing leads then. */
const keptFor = "24h";
const size = 65_535;

/** As nft declares it. */
export const learnedSetText = (by: LearnedBy, family: 4 | 6): string => {
  const timeout = by === otherAnswers ? "1s" : keptFor;
  return `set ${learnedSet(by, family)} { type ipv${family}_addr; size ${size}; flags dynamic,timeout; timeout ${timeout}; }`;
};

/** The part of dnsmasq's line that names sets. */
export const nftsetOf = (all: readonly LearnedBy[]): string =>
  all
    .flatMap((by) => ([4, 6] as const).map((family) => [by, family] as const))
    .map(([by, family]) => `${family}#inet#${table}#${learnedSet(by, family)}`)
    .join(",");

/** Whose sets a line of dnsmasq's names. */
export const learnedIn = (line: string): LearnedBy[] => [
  ...new Set(
    [...line.matchAll(/#d_(dns|exit)[46]_(\w+)/g)].map(([, kind, by = ""]) =>
      kind === "dns" ? Number(by) : by,
    ),
  ),
];
