/**
 * Configuration of the resolvers that deny names: dnsmasq(8) has one list of names for all who ask it, so that each class
 * of hosts has a dnsmasq of its own in front of the resolver of the LANs. Pure.
 */
import type { FilterRule } from "@weft/contract/device/v1/name-filters.ts";
import { withParents } from "./names.ts";

/** Seconds that a host keeps an answer: after that it is asked about again, by the rules of that moment. */
const answerSeconds = 60;

export interface FilterFiles {
  readonly config: string;
  readonly servers: string;
  readonly pid: string;
}

/** It knows nothing itself: answers, leases and what is learned of names are the resolver's of the LANs. */
export const renderFilter = (
  port: number,
  lans: readonly string[],
  { servers, pid }: Omit<FilterFiles, "config">,
): string =>
  [
    "# Written by the Weft edge.",
    `port=${port}`,
    "bind-dynamic",
    "except-interface=lo",
    ...lans.map((name) => `interface=${name}`),
    "no-hosts",
    "no-resolv",
    "no-poll",
    "cache-size=0",
    `max-ttl=${answerSeconds}`,
    // What passes every path without fragments (DNS flag day 2020).
    "edns-packet-max=1232",
    "log-facility=-",
    `servers-file=${servers}`,
    `pid-file=${pid}`,
    "",
  ].join("\n");

const wildcard = "*.";
const noRank = Number.MAX_SAFE_INTEGER;

const digestMark = "# ";

/** What the list in a file of servers is made of; null: it is none of ours. */
export const digestIn = (text: string): string | null => {
  const [first = ""] = text.split("\n", 1);
  return first.startsWith(digestMark) ? first.slice(digestMark.length) : null;
};

/**
 * The file of servers, which dnsmasq reads again when it is asked to. It takes the most specific name and knows no order: so each name that a rule has gets
 * a line with what the first rule about it says, and another one for what is below it. In small letters, which mean the same (RFC 4343): a name with
 * others is converted as one of IDN, and a line whose name cannot be, such as `XN--A.example`, is left out without a word but in its log.
 * @param rules that act, in their order
 * @param resolvers that all else is asked of
 * @param digest of what the list is made of, whatever the time is
 */
export const renderDenied = (
  rules: readonly FilterRule[],
  resolvers: readonly string[],
  digest: string,
): string => {
  const exact = new Map<string, number>();
  const inner = new Map<string, number>();
  for (const [rank, { names }] of rules.entries())
    for (const written of names) {
      const text = written.toLowerCase();
      const isInner = text.startsWith(wildcard);
      const [name, ranks] = isInner ? [text.slice(wildcard.length), inner] : [text, exact];
      if (!ranks.has(name)) ranks.set(name, rank);
    }
  const lineOf = (rank: number, name: string): string =>
    // An empty server: no server is asked, and the name does not exist. "#": as all other names.
    rules[rank]?.denies ? `server=/${name}/` : `server=/${name}/#`;
  const lines = [...new Set([...exact.keys(), ...inner.keys()])].sort().flatMap((name) => {
    const [, ...parents] = withParents(name);
    const above = Math.min(noRank, ...parents.map((parent) => inner.get(parent) ?? noRank));
    const itself = lineOf(Math.min(above, exact.get(name) ?? noRank), name);
    const below = lineOf(Math.min(above, inner.get(name) ?? noRank), `${wildcard}${name}`);
    return [itself, below];
  });
  const others = resolvers.map((address) => `server=${address}`);
  return [`${digestMark}${digest}`, ...others, ...lines, ""].join("\n");
};
