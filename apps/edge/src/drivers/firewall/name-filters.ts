/**
 * Hosts that are denied names: what they ask any server by plain DNS is answered by the resolver of their class
 * (drivers/dns/filters.ts), and encrypted DNS on its own port does not leave for the internet. Pure.
 */
import { rulesThatDeny } from "@weft/contract/device/v1/host-classes.ts";
import {
  filterPorts,
  type LanResolver,
  type NameFilter,
} from "@weft/contract/device/v1/name-filters.ts";
import { familyOf } from "#drivers/address.ts";
import { keyword } from "./address-sets.ts";
import type { Leaving } from "./names.ts";
import { anyLink, chain, set } from "./nft.ts";
import { families, type NamedSet, namedSet } from "./sources.ts";
import { timeMatch } from "./times.ts";

export interface FilterContext {
  readonly resolvers: readonly LanResolver[];
  readonly wan: readonly string[];
  readonly lans: readonly string[];
  /** Hosts that may leave by a WAN link. */
  readonly leaving: readonly Leaving[];
  /** Hosts that reach the internet by the space. */
  readonly central: readonly Leaving[];
  /** Sets of the networks of the space, of both families; none: they are not known. */
  readonly space: readonly Pick<NamedSet, "name">[];
}

export interface FilterParts {
  readonly sets: readonly NamedSet[];
  readonly chains: readonly string[];
  /** In the chain of what is forwarded, before whatever lets packets through. */
  readonly forward: readonly string[];
  /** In the chain of what is for the device. */
  readonly input: readonly string[];
  /** What was meant for a server outside, as it arrives at a resolver: `jump c_evaluate` belongs behind it. */
  readonly redirected: readonly string[];
}

const none: FilterParts = { sets: [], chains: [], forward: [], input: [], redirected: [] };

const plainDns = "meta l4proto { tcp, udp } th dport 53";
/** DNS over TLS and over QUIC (RFC 7858, RFC 9250). */
const encryptedDns = "meta l4proto { tcp, udp } th dport 853";
const refuse = "c_names_refuse";
const atFilter = `meta l4proto { tcp, udp } th dport ${filterPorts.first}-${filterPorts.last}`;

type Family = (typeof families)[number];
const setName = (place: number, family: Family): string => `s_names${family}_${place}`;
const translate = "c_names_to";

/** Times at one of which a rule acts, each once; null: one of them always does. */
const neededTimes = (times: readonly (number | null)[]): readonly (number | null)[] =>
  times.includes(null) ? [null] : [...new Set(times)];

/** How packets of a class are matched while one of its rules denies something; several: each of them. */
const matchesOf = ({ rules, hosts }: NameFilter, place: number, family: Family): string[] => {
  if (hosts !== null && hosts[family].length === 0) return [];
  const from = hosts === null ? "" : `${keyword(family)} saddr @${setName(place, family)} `;
  return neededTimes(rulesThatDeny(rules).map(({ time }) => time))
    .map((time) => [...timeMatch(time), ""].join(" "))
    .map((when) => `${from}${when}`);
};

const setsOf = (filters: readonly NameFilter[]): NamedSet[] =>
  filters.flatMap(({ hosts }, place) =>
    hosts === null
      ? []
      : families.map((family) =>
          namedSet(
            setName(place, family),
            `type ipv${family}_addr; flags interval;`,
            hosts[family],
          ),
        ),
  );

/** The resolver of each class, at the device's address in the LAN: of a delegated prefix it is another one tomorrow. */
const translations = (filters: readonly NameFilter[]): string[] =>
  filters.flatMap((filter, place) =>
    [...new Set(families.flatMap((family) => matchesOf(filter, place, family)))].map(
      (match) => `${match}meta l4proto { tcp, udp } redirect to :${filter.port}`,
    ),
  );

/** What is in no network of the space, by family; none: these networks are not known. */
const outsideOf = (space: FilterContext["space"]): { family: Family; match: string }[] =>
  families.flatMap((family, at) => {
    const inner = space[at];
    return inner ? [{ family, match: `${keyword(family)} daddr != @${inner.name}` }] : [];
  });

/** Those of hosts that reach the internet by the space, whose default route is in a table of its own. */
const centralQueries = ({ lans, central, space }: FilterContext): string[] =>
  central.flatMap(({ match }) =>
    outsideOf(space).flatMap(({ family, match: isOutside }) => {
      const isOther = match.includes(family === 4 ? "ip6 saddr" : "ip saddr");
      const to = `fib daddr oifname != ${set(lans)} jump ${translate}`;
      return isOther ? [] : [`${match}${plainDns} ${isOutside} ${to}`];
    }),
  );

/** Which queries are translated: those to the device, and those to servers of the internet. */
const queries = (unknown: readonly string[], context: FilterContext): string[] => {
  const { lans, wan, leaving } = context;
  return [
    ...unknown.map((match) => `${match} return`),
    `iifname ${set(lans)} ${plainDns} fib daddr type local jump ${translate}`,
    ...(wan.length === 0
      ? []
      : leaving.map(
          ({ match }) => `${match}${plainDns} fib daddr oifname ${set(wan)} jump ${translate}`,
        )),
    ...centralQueries(context),
  ];
};

/** Ways to the internet: by a WAN link, and by a link of the space to what is in no network of it. */
const waysOut = ({ wan, space }: FilterContext, family: Family): string[] => [
  ...(wan.length === 0 ? [] : [`oifname ${set(wan)} meta nfproto ipv${family}`]),
  ...outsideOf(space).flatMap((outside) =>
    outside.family === family ? [`oifname ${anyLink} ${outside.match}`] : [],
  ),
];

/**
 * Queries from an address that holds within the LAN only say nothing of whose they are: while a group of hosts is denied
 * names they are refused, and hosts ask from another address.
 */
const unknownHosts = (filters: readonly NameFilter[], { lans }: FilterContext): string[] => {
  const times = filters
    .filter(({ hosts }) => hosts !== null)
    .flatMap(({ rules }) => rulesThatDeny(rules).map(({ time }) => time));
  return neededTimes(times).map((time) =>
    [`iifname ${set(lans)} ip6 saddr fe80::/10`, ...timeMatch(time), plainDns].join(" "),
  );
};

/** Queries that hosts meant for a server outside, by what they asked before it was translated. */
const redirected = ({ resolvers, lans }: FilterContext): string[] =>
  families.map((family) => {
    const addresses = resolvers
      .map(({ address }) => address)
      .filter((text) => familyOf(text) === family);
    const isOther =
      addresses.length === 0
        ? ""
        : `ct original ${keyword(family)} daddr != { ${addresses.join(", ")} } `;
    return `iifname ${set(lans)} meta nfproto ipv${family} ct status dnat ${atFilter} ${isOther}`;
  });

/** What the classes of hosts put into the table of a device. */
export const filterParts = (
  filters: readonly NameFilter[],
  context: FilterContext,
): FilterParts => {
  const { lans } = context;
  if (filters.length === 0 || lans.length === 0) return none;
  const unknown = unknownHosts(filters, context);
  const fromLan = `iifname ${set(lans)} ${atFilter}`;
  return {
    sets: setsOf(filters),
    chains: [
      chain(translate, translations(filters)),
      // Before the chain of the DNS controls: what is translated here is not asked again.
      chain(
        "c_names",
        queries(unknown, context),
        "type nat hook prerouting priority dstnat - 3; policy accept;",
      ),
      chain(refuse, [
        "meta l4proto tcp reject with tcp reset",
        "reject with icmpx type admin-prohibited",
      ]),
    ],
    forward: filters.flatMap((filter, place) =>
      families.flatMap((family) =>
        matchesOf(filter, place, family).flatMap((match) =>
          waysOut(context, family).map(
            (out) => `iifname ${set(lans)} ${out} ${encryptedDns} ${match}goto ${refuse}`,
          ),
        ),
      ),
    ),
    // A host that asked one directly would select the rules that it is denied names by.
    input: [
      ...unknown.map((match) => `${match} goto ${refuse}`),
      `${fromLan} ct status dnat accept`,
      `${fromLan} drop`,
    ],
    redirected: redirected(context),
  };
};

/** Of the text of a table that which decides who answers queries; "": there is nothing. */
export const filterTextOf = (text: string): string =>
  text
    .split("\n")
    .filter((line) => /\b[sc]_names|redirect to :\d+$/.test(line))
    .join("\n");

/** What a kernel must take for them. */
export const filterSample = `
  set a { type ipv6_addr; flags interval; elements = { 2001:db8::-2001:db8::ff } }
  set b { type mark; elements = { 0x0 }; }
  chain c { ip6 saddr @a meta mark & 0x0 == @b meta l4proto { tcp, udp } redirect to :5301; }
  chain d {
    type nat hook prerouting priority dstnat - 3;
    iifname { "t0" } meta l4proto { tcp, udp } th dport 53 fib daddr type local jump c
    iifname "t0" meta l4proto { tcp, udp } th dport 53 fib daddr oifname { "t1" } jump c
  }
  chain e {
    type filter hook input priority 0;
    meta nfproto ipv4 ct status dnat th dport 5301-5352 ct original ip daddr != { 192.0.2.1 } return
  }`;
