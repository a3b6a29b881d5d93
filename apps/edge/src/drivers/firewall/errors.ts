/** Errors that routers in a LAN send about flows of the space, as nft matches them. Pure. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { addressOf, isWithin, networkOf } from "@weft/contract/rules/address.ts";
import { familyOf } from "#drivers/address.ts";
import { outermost } from "#drivers/prefixes.ts";
import { anyLink, chain, set } from "./nft.ts";
import { foreignChain, foreignRules, type SourceCheck } from "./sources.ts";

/** Errors about packets (RFC 792, RFC 4443): a router on their way sends them, by any address of its own. */
export const icmpErrors = [
  ["icmp", "{ destination-unreachable, time-exceeded, parameter-problem }"],
  ["icmpv6", "{ destination-unreachable, packet-too-big, time-exceeded, parameter-problem }"],
] as const;

/** An address of the site that the space knows, and all networks of a family that the space takes from it. */
export interface KnownSource {
  readonly address: string;
  readonly networks: readonly string[];
}

/** One for each family that the site announces a LAN of. */
export const knownSources = ({ underlay, routings }: DesiredState): KnownSource[] => {
  const announced = outermost(
    routings.flatMap(({ netns, announce }) => (netns === null ? announce.map(networkOf) : [])),
  );
  const lanAddresses = underlay.lans.flatMap(({ addresses }) => addresses.map(addressOf));
  return ([4, 6] as const).flatMap((family) => {
    const networks = announced.filter((network) => familyOf(network) === family);
    const address = lanAddresses.find((text) =>
      networks.some((network) => isWithin(network, text)),
    );
    return address === undefined ? [] : [{ address, networks }];
  });
};

/**
 * An error from an address that the site does not announce would be dropped as made up by the POP, which
 * does not track flows, and by the other end: the device sends it by its own address in the LAN.
 */
const knownErrors = (sources: readonly KnownSource[]): string[] =>
  sources.map(({ address, networks }) => {
    const [name, types] = icmpErrors[familyOf(address) === 4 ? 0 : 1];
    const source = familyOf(address) === 4 ? "ip saddr" : "ip6 saddr";
    const known = `{ ${networks.join(", ")} }`;
    return `${name} type ${types} ct state related ${source} != ${known} ${source} set ${address}`;
  });

/** After the forward chain has let them through. @param lan interfaces of hosts */
export const errorChains = (lan: readonly string[], known: readonly KnownSource[]): string[] => {
  if (lan.length === 0 || known.length === 0) return [];
  return [
    chain("c_error_source", knownErrors(known)),
    chain(
      "c_error",
      [
        // Of most packets nothing else is asked.
        "ct state != related accept",
        `iifname ${set(lan)} oifname ${anyLink} jump c_error_source`,
      ],
      "type filter hook forward priority filter + 10; policy accept;",
    ),
  ];
};

/** Before connection tracking: a flood of made-up sources makes no entries. */
export const sourceChain = (
  checks: readonly SourceCheck[],
  first: readonly string[] = [],
): string =>
  [
    chain(foreignChain, foreignRules),
    chain(
      "c_source",
      [...first, ...checks.flatMap((check) => check.rules)],
      "type filter hook prerouting priority raw; policy accept;",
    ),
  ].join("\n");

/** Interfaces by which answers of the internet come in: what a next hop or an exit sends back. */
export interface HopAnswers {
  readonly interfaceNames: readonly string[];
  /** Of flows that were sent there. */
  readonly match: string;
}

/** Errors that a check before tracking has let through, and answers by next hops. */
const lateSourceChain = (checks: readonly SourceCheck[], answers: readonly HopAnswers[]): string =>
  chain(
    "c_source_error",
    [
      ...answers.map(
        ({ interfaceNames, match }) =>
          `iifname ${set(interfaceNames)} ct direction reply ${match} accept`,
      ),
      ...answers.map(
        ({ interfaceNames }) =>
          `iifname ${set(interfaceNames)} meta l4proto != { icmp, ipv6-icmp } goto c_source_late`,
      ),
      "meta l4proto != { icmp, ipv6-icmp } accept",
      ...icmpErrors.map(([name, types]) => `${name} type != ${types} accept`),
      "ct state related accept",
      ...checks.flatMap((check) => check.rules),
    ],
    // Before policy routes, which count what they are about.
    "type filter hook prerouting priority mangle - 10; policy accept;",
  );

/** Where flows are known, errors are checked after tracking: those about a flow may come from anywhere. */
export const sourceChains = (
  checks: readonly SourceCheck[],
  answers: readonly HopAnswers[] = [],
  allowed: readonly string[] = [],
): string[] => {
  const names = checks.flatMap(({ interfaceNames }) => interfaceNames);
  if (names.length === 0) return [];
  const before = [
    // What comes by other interfaces needs no further look: the tunnels' own packets, above all.
    `iifname != ${set(names)} accept`,
    ...icmpErrors.map(([name, types]) => `${name} type ${types} accept`),
    ...checks.flatMap(({ shortcuts }) => shortcuts),
    ...allowed,
    ...answers.map(({ interfaceNames }) => `iifname ${set(interfaceNames)} accept`),
  ];
  return [
    sourceChain(checks, before),
    ...(answers.length > 0
      ? [
          chain(
            "c_source_late",
            checks.flatMap((check) => check.rules),
          ),
        ]
      : []),
    lateSourceChain(checks, answers),
  ];
};
