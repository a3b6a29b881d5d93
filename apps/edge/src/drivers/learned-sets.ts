/**
 * Sets of addresses that the resolver of the LANs learns from answers: it adds what names of a DNS control stand for,
 * and the firewall leads connections there by the control's WAN link. They outlive loads of rules and the resolver.
 */

/** Table of the firewall. */
const table = "weft";

/** Answers of a control. */
export const learnedSet = (id: number, family: 4 | 6): string => `d_dns${family}_${id}`;

/** For answers that no control leads: dnsmasq has no way to except a name from those above it. */
export const otherAnswers = 0;

/** An answer that a host keeps longer than this is rare: its connections go where routing leads then. */
const keptFor = "24h";
const size = 65_535;

/** As nft declares it. */
export const learnedSetText = (id: number, family: 4 | 6): string => {
  const timeout = id === otherAnswers ? "1s" : keptFor;
  return `set ${learnedSet(id, family)} { type ipv${family}_addr; size ${size}; flags dynamic,timeout; timeout ${timeout}; }`;
};

/** The part of dnsmasq's line that names the sets of a control. */
export const nftsetOf = (id: number): string =>
  ([4, 6] as const).map((family) => `${family}#inet#${table}#${learnedSet(id, family)}`).join(",");

/** Ids of the controls that a line of dnsmasq's names. */
export const idsIn = (line: string): number[] => [
  ...new Set([...line.matchAll(/#d_dns[46]_(\d+)/g)].map(([, id]) => Number(id))),
];
