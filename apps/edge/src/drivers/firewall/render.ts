/** nftables rules of a device (nft(8)), pure. Names carry a prefix: a plain one may be a keyword. */
import type { ClientSection } from "@weft/contract/device/v1/client.ts";
import type { FirewallSection } from "@weft/contract/device/v1/firewall.ts";
import type { SiteSection } from "@weft/contract/device/v1/site.ts";
import { type AccelerationRules, accelerationParts } from "./acceleration.ts";
import { evaluation } from "./acl.ts";
import { addressSets } from "./address-sets.ts";
import { appSets } from "./apps.ts";
import { classParts, type Shaped, spaceClasses } from "./classes.ts";
import { clientRules } from "./clients.ts";
import { type Closed, type ClosedCheck, checkClosed } from "./closed.ts";
import { denialParts, underwayRule } from "./denials.ts";
import { errorChains, icmpErrors, type KnownSource, sourceChain, sourceChains } from "./errors.ts";
import { exitRules } from "./exit.ts";
import { type GroupRules, groupParts } from "./groups.ts";
import { centralHosts, hosts, type LanHosts, leavingHosts, rulesFor } from "./lan-hosts.ts";
import { lanChains, lanIn, peerPorts } from "./lan-input.ts";
import { type LeavingRules, mainLeaving, type SpaceLeaving, spaceLeaving } from "./leaving.ts";
import { limitParts } from "./limits.ts";
import { filterParts } from "./name-filters.ts";
import { learnedSets, type PolicyRules, resolverChain, resolverInput } from "./names.ts";
import { anyLink, chain, likeLinks, linkSet, spaceLinks as links, portRanges, set } from "./nft.ts";
import { management, reserved } from "./own-ports.ts";
import { policyRouteParts } from "./policy-routes.ts";
import { type MappedLine, type PortMappingParts, portMappingParts } from "./port-mapping.ts";
import { keepsLine, ownAddress } from "./route-exits.ts";
import { type SmallBounds, type SmallShares, sharedParts, smallParts } from "./small-packets.ts";
import {
  checkSources,
  foreignSets,
  type NamedSet,
  namedSet,
  type Source,
  type SourceCheck,
} from "./sources.ts";
import { timeSets, timesOf } from "./times.ts";

export const table = "weft";
/** The two ends of a link, as its packets of BGP and BFD bear them. */
export interface Peer {
  readonly interfaceName: string;
  readonly peer: string;
  readonly own: string;
}

/** Links of a namespace: whom each leads to, and what may come from there. */
export interface LinkRules {
  readonly peers: readonly Peer[];
  readonly sources: readonly Source[];
}

export interface MainRules extends FirewallSection, LinkRules {
  /** One entry a LAN section. */
  readonly lan: readonly LanHosts[];
  /** The machine refuses the rules of another LAN; absent: no. */
  readonly hasRefusedLan?: boolean;
  /** Interfaces of the links. */
  readonly links: readonly string[];
  /** A POP whose links end in the main namespace passes packets from link to link. */
  readonly transit: boolean;
  readonly closed: Closed;
  /** Families in which the space may leave by the lines; absent: none. */
  readonly exits?: readonly (4 | 6)[];
  /** Networks that may reach SSH of the device by its lines; absent: none. */
  readonly manageFrom?: readonly string[];
  /** How errors from the LANs are sent into the space; none: as they came. */
  readonly known?: readonly KnownSource[];
  /** Lines with their addresses; absent: none, and no port is mapped. */
  readonly lines?: readonly MappedLine[];
  /** LANs with a network of the prefix of a line, by interface, and the line's interface; absent: none. */
  readonly delegated?: ReadonlyMap<string, string>;
  /** IPv4 addresses of the device that are of no line; absent: none. */
  readonly inner?: readonly string[];
  /** Networks that policy routes leave where they are; absent or null: not known which. */
  readonly kept?: readonly string[] | null;
  /** Closed user groups; absent: it is in none. */
  readonly groups?: GroupRules | undefined;
  /** Policy objects that act on this device; absent: none. */
  readonly policy?: PolicyRules | undefined;
  /** Routers in LANs that the device has BGP with; absent: none. */
  readonly routers?: SiteSection["neighbors"];
  /** LANs with OSPF; absent: none. */
  readonly ospf?: readonly string[];
  /** What the shaper is to find in packets; absent: nothing is shaped. */
  readonly shaped?: Shaped | undefined;
  /** What of it leaves at POPs; absent: nothing. */
  readonly accelerated?: AccelerationRules;
  /** Sites that leave here; absent or null: it is no POP. */
  readonly leaving?: LeavingRules | null;
  /** How spaces share what the POP carries of small packets; absent or null: they need not. */
  readonly shares?: SmallShares | null;
}

// Neighbour discovery and errors of IPv6 are not optional (RFC 4890).
const icmp = [
  "icmp type { echo-request, echo-reply, destination-unreachable, time-exceeded, parameter-problem } accept",
  "icmpv6 type { destination-unreachable, packet-too-big, time-exceeded, parameter-problem, echo-request, echo-reply, nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert, mld-listener-query, mld-listener-report, mld-listener-done, mld2-listener-report } accept",
];

/** Sets whose elements are the document's; others in our table are filled by other programs. */
export const isOwnSet = (name: string): boolean => name.startsWith("s_");
const peerSet = "s_peer";
/** RFC 5082: what comes from the other end itself was not forwarded. */
const fromPeer = `iifname . ip saddr . ip daddr @${peerSet} ip ttl 255`;

/**
 * What a link may send to the device: ICMP, and from the link's other end BGP (either end may have
 * opened the session, but none is opened from port 179), BFD and what measures the link. Hosts of the space come by the
 * same interface, with addresses of their own.
 * Without state: connection tracking would be on for all that a hub forwards in this namespace.
 */
const linkIn = [
  ...icmp,
  `${fromPeer} tcp dport 179 accept`,
  `${fromPeer} tcp sport 179 tcp flags & (syn | ack) != syn accept`,
  `${fromPeer} udp dport ${peerPorts} accept`,
  'counter name "h_link_in" drop',
];

const peers = (all: readonly Peer[]): NamedSet =>
  namedSet(
    peerSet,
    "type ifname . ipv4_addr . ipv4_addr;",
    all.map((peer) => `"${peer.interfaceName}" . ${peer.peer} . ${peer.own}`),
  );

const linkNames = ({ links }: MainRules): NamedSet =>
  namedSet(
    linkSet,
    "type ifname;",
    links.map((name) => `"${name}"`),
  );

/** Both ways: the end of a path knows neither this link's size nor that of the next. */
const clampAll = (names: readonly string[]): string[] => [
  // All but the first packets of a flow are done with here.
  "tcp flags & (syn | rst) != syn accept",
  "meta l4proto != tcp accept",
  ...["oifname", "iifname"].flatMap((way) =>
    names.map((name) => `${way} ${name} tcp option maxseg size set rt mtu`),
  ),
];

const wanIn = ({ tunnelPorts }: MainRules): string[] => [
  ...icmp,
  "udp sport 67 udp dport 68 accept",
  "ip6 saddr fe80::/10 udp sport 547 udp dport 546 accept",
  ...(tunnelPorts.length > 0 ? [`udp dport { ${portRanges(tunnelPorts)} } accept`] : []),
  "drop",
];

const mappedBy = (rules: MainRules): PortMappingParts =>
  portMappingParts(rules.policy?.portMaps ?? [], {
    lines: rules.lines ?? [],
    lans: [...new Set(rules.lan.map((section) => section.interfaceName))],
    inner: rules.inner ?? [],
    reserved: reserved(rules),
  });

const input = (rules: MainRules, resolverRules: readonly string[]): string[] => [
  ...mainLeaving(rules.leaving, rules.wan).input,
  "ct state established,related accept",
  'iifname "lo" accept',
  `iifname ${anyLink} jump c_link_in`,
  ...likeLinks((name) => `iifname ${name} drop`),
  ...(rules.wan.length > 0
    ? management(rules).map((match) => `iifname ${set(rules.wan)} ${match} accept`)
    : []),
  ...(rules.wan.length > 0 ? [`iifname ${set(rules.wan)} jump c_wan_in`] : []),
  ...resolverRules,
  ...lanIn(rules),
];

/** What comes out of a link: into the LANs of the space, out of a line only where the site is its exit. */
const fromLink = ({ wan, lan, transit, exits = [] }: MainRules): string[] => [
  ...exitRules(exits, wan).fromLink,
  ...(wan.length > 0 ? [`oifname ${set(wan)} drop`] : []),
  ...rulesFor(
    lan.filter((section) => section.forward),
    "to",
    "accept",
  ),
  ...(transit ? [`oifname ${anyLink} accept`] : []),
  "drop",
];

/** What hosts that may enter the space reach there. */
const intoSpace = ({ lan }: MainRules): string[] => [
  `oifname ${anyLink} accept`,
  ...rulesFor(
    lan.filter((section) => section.forward),
    "to",
    "accept",
  ),
];

const forward = (
  rules: MainRules,
  closed: readonly string[],
  evaluated: readonly string[],
  mapped: readonly string[],
): string[] => {
  const { wan, lan } = rules;
  const direct = leavingLans(rules);
  const inSpace = lan.filter((section) => section.forward);
  return [
    // They are not routed (RFC 3927): where one answers on a line, it is the device's own cloud.
    'ip daddr 169.254.0.0/16 counter name "h_link_local" drop',
    ...closed,
    ...mainLeaving(rules.leaving, wan).forward,
    ...(lan.length > 0 ? [underwayRule] : []),
    ...evaluated,
    ...mapped,
    `iifname ${anyLink} jump c_from_link`,
    ...(lan.length > 0
      ? icmpErrors.map(
          ([name, types]) =>
            `ct state related iifname ${set(lan.map((section) => section.interfaceName))} ${name} type ${types} accept`,
        )
      : []),
    ...rulesFor(inSpace, "from", "jump c_into_space"),
    ...exitRules(rules.exits ?? [], wan).forward,
    ...(direct.length > 0 && wan.length > 0
      ? [
          ...rulesFor(direct, "from", `oifname ${set(wan)} accept`),
          `iifname ${set(wan)} oifname ${set(direct.map((section) => section.interfaceName))} ct state established,related accept`,
        ]
      : []),
  ];
};

/** Delegated prefixes are of it, and networks of sites are not. */
const internet6 = "2000::/3";

/** LANs whose hosts leave by the lines, with what they have of delegated prefixes. */
const leavingLans = ({ lan, delegated }: MainRules): readonly LanHosts[] => {
  const seen = new Set<string>();
  return lan
    .filter((section) => section.direct)
    .map((section) => {
      const { interfaceName, networks } = section;
      const isFirst =
        delegated?.has(interfaceName) && section.central !== true && !seen.has(interfaceName);
      seen.add(interfaceName);
      return isFirst && networks ? { ...section, networks: [...networks, internet6] } : section;
    });
};

/** A host's own address is the line's that its prefix is of; by another line new flows have that line's. */
const keptPrefixes = (rules: MainRules): string[] =>
  leavingLans(rules).flatMap(({ interfaceName, networks }) => {
    const line = rules.delegated?.get(interfaceName);
    if (line === undefined || !networks?.includes(internet6)) return [];
    const match = `iifname "${interfaceName}" ip6 saddr ${internet6} oifname "${line}"`;
    const wanLine = rules.lines?.find((candidate) => candidate.interfaceName === line);
    // Of the chain only the first packet of a flow is asked: without a mark the others would follow the routes, untranslated.
    return [...(wanLine ? [`${match} ${ownAddress(wanLine)}`] : []), `${match} accept`];
  });

/** Only what the interface has a network of: the prefix is another one tomorrow. */
const delegatedSources = ({ delegated = new Map() }: MainRules): string[] =>
  [...delegated.keys()].map(
    (name) => `iifname "${name}" ip6 saddr ${internet6} fib saddr . iif oif exists accept`,
  );

/** What becomes of the source address of a flow that leaves by a WAN link: it is that of the link. */
const leaving = ({ lines = [], lan, exits = [] }: MainRules): string =>
  keepsLine(lines) && (exits.length > 0 || lan.some((section) => section.direct))
    ? "goto c_leave"
    : "masquerade";

const nat = (rules: MainRules, mapped: readonly string[]): string[] => {
  const { wan, lan, exits = [] } = rules;
  const translate = leaving(rules);
  return [
    ...rulesFor(
      lan.filter((section) => section.forward && section.translated),
      "to",
      `iifname ${anyLink} masquerade`,
    ),
    ...(wan.length > 0
      ? [
          ...mapped,
          ...keptPrefixes(rules),
          ...rulesFor(leavingLans(rules), "from", `oifname ${set(wan)} ${translate}`),
          ...exitRules(exits, wan, translate).nat,
          ...mainLeaving(rules.leaving, wan).nat,
        ]
      : []),
  ];
};

/** Counters keep their values over a load; what they count is shown by name. */
const counters = [
  "h_source_lan",
  "h_source_link",
  "h_link_in",
  "h_link_local",
  "h_space_line",
  "h_line_space",
];

interface Contents {
  /** Definitions that the rest refers to. */
  readonly head?: readonly string[];
  readonly sets: readonly NamedSet[];
  /** Sets that the kernel fills, and further counters. */
  readonly declared?: readonly string[];
  readonly chains: readonly string[];
}

/**
 * One transaction. The table is emptied and declared again, so that sets others fill survive. Those that
 * are ours are made again, not flushed: to fill a flushed set of concatenated intervals costs the kernel
 * the square of its elements (64,000: 82 s on Linux 6.18, and 1.8 s for a new one).
 */
const transaction = ({ head = [], sets, declared = [], chains }: Contents): string =>
  [
    ...head,
    `add table inet ${table}`,
    ...sets.map(({ name, type }) => `add set inet ${table} ${name} { ${type} }`),
    `flush table inet ${table}`,
    ...sets.map(({ name }) => `delete set inet ${table} ${name}`),
    `table inet ${table} {`,
    ...counters.map((name) => `  counter ${name} { }`),
    ...[...foreignSets, ...sets].map(({ text }) => `  ${text}`),
    ...declared.map((text) => `  ${text}`),
    ...chains,
    "}",
    "",
  ].join("\n");

/** Sources of LANs, and of links whose other end may not send from just anywhere. */
const mainSources = ({ lan, sources }: MainRules): SourceCheck[] => {
  const limited = sources.filter(({ networks }) => networks !== null);
  const ofLans = lan.map(({ interfaceName, networks = null }) => ({ interfaceName, networks }));
  const named = (all: readonly Source[]) =>
    `iifname ${set(all.map(({ interfaceName }) => interfaceName))}`;
  return [
    checkSources("lan", named(ofLans), ofLans),
    checkSources("link", named(limited), limited),
  ];
};

/** What the policy objects of a device put into its table. */
const policyParts = (rules: MainRules, closed: ClosedCheck) => {
  const limits = limitParts(
    rules.policy,
    rules.lan.map((section) => section.interfaceName),
  );
  const maps = mappedBy(rules);
  const direct = rules.lan.filter((section) => section.direct);
  const ofHosts = (sections: readonly LanHosts[]) =>
    sections.flatMap((section) => hosts(section, "from"));
  const accelerated = accelerationParts(
    rules.accelerated ?? { groups: [], exits: [], sources: [], links: [] },
    ofHosts(direct.filter((section) => section.forward)),
  );
  const routes = policyRouteParts(rules.policy, {
    lines: rules.lines ?? [],
    hosts: leavingLans(rules).flatMap((leavingLan) => hosts(leavingLan, "from")),
    accelerated,
    exits: (rules.exits ?? []).length > 0,
    lans: rules.lan.map((section) => section.interfaceName),
    kept: rules.kept ?? null,
    reserved: reserved(rules),
  });
  const classes = classParts(rules);
  const denials = denialParts(rules.policy ?? {}, {
    lans: rules.lan.map((section) => section.interfaceName),
    wan: rules.wan,
    exits: accelerated.kept.map(({ mark }) => mark),
    mappedAnswers: maps.answers,
  });
  const parts = [limits, maps, routes, classes, denials];
  const leaving = leavingHosts(leavingLans(rules));
  const filters = filterParts(rules.policy?.filters ?? [], {
    resolvers: rules.policy?.resolvers ?? [],
    wan: rules.wan,
    lans: [...new Set(rules.lan.map((section) => section.interfaceName))],
    leaving,
    central: centralHosts(rules.lan),
    space: closed.sets,
  });
  return {
    filters,
    sets: [
      ...filters.sets,
      ...timeSets(timesOf(rules.policy)),
      ...addressSets(rules.policy?.sets ?? []),
      ...appSets(rules.policy?.applications ?? []),
      ...routes.sets,
      ...classes.sets,
    ],
    declared: [...learnedSets(rules.policy), ...parts.flatMap((part) => part.declared)],
    resolver: resolverChain(rules.policy, rules.wan, leaving),
    chains: parts.flatMap((part) => part.chains),
    limited: limits.forward,
    mapped: [...routes.forward, ...maps.forward],
    answers: routes.answers,
    classified: [...classes.evaluate, ...denials.evaluate],
    nat: [...routes.nat, ...maps.nat],
  };
};

/**
 * Rules of the main namespace. There is no chain on output: nothing a document says can keep the
 * device from its controller.
 */
export const renderMain = (rules: MainRules): string => {
  const checks = mainSources(rules);
  const closed = checkClosed(rules.closed, rules.wan.length > 0 ? set(rules.wan) : null);
  const groups = groupParts(rules.groups);
  const policy = policyParts(rules, closed);
  const leaving = mainLeaving(rules.leaving, rules.wan);
  const shared = sharedParts(rules.shares ?? null);
  const evaluated = evaluation(rules.acl ?? [], policy.limited, policy.classified);
  const { filters } = policy;
  const isEvaluated = evaluated.forward.length > 0;
  const lans = rules.lan.map((section) => section.interfaceName);
  const resolverRules = [
    ...(policy.resolver.length > 0 && isEvaluated ? resolverInput(lans) : []),
    ...(isEvaluated ? filters.redirected.map((match) => `${match}jump c_evaluate`) : []),
    ...filters.input,
  ];
  const sets = [
    peers(rules.peers),
    linkNames(rules),
    ...checks.flatMap((check) => check.sets),
    ...closed.sets,
    ...groups.sets,
    ...policy.sets,
  ];
  const chains = [
    ...sourceChains(checks, policy.answers, delegatedSources(rules)),
    chain("c_wan_in", wanIn(rules)),
    chain("c_link_in", linkIn),
    chain("c_from_link", fromLink(rules)),
    chain("c_into_space", intoSpace(rules)),
    ...lanChains(rules),
    chain(
      "c_input",
      input(rules, resolverRules),
      "type filter hook input priority filter; policy accept;",
    ),
    ...filters.chains,
    ...policy.resolver,
    ...groups.chains,
    ...leaving.chains,
    ...shared.chains,
    ...policy.chains,
    ...evaluated.chains,
    chain(
      "c_forward",
      forward(
        rules,
        [...closed.rules, ...groups.forward, ...filters.forward],
        evaluated.forward,
        policy.mapped,
      ),
      "type filter hook forward priority filter; policy drop;",
    ),
    ...errorChains(
      rules.lan.map((section) => section.interfaceName),
      rules.known ?? [],
    ),
    chain("c_mss", clampAll([anyLink]), "type filter hook forward priority mangle; policy accept;"),
    chain(
      "c_nat",
      nat(rules, policy.nat),
      "type nat hook postrouting priority srcnat; policy accept;",
    ),
  ];
  const declared = [
    ...groups.declared,
    ...leaving.declared,
    ...shared.declared,
    ...policy.declared,
    ...evaluated.declared,
  ];
  return transaction({ head: evaluated.head, sets, declared, chains });
};

/** Rules of a space's namespace on a POP: from link to link, for its clients, and nowhere else. */
export const renderSpace = (
  section: ClientSection | null = null,
  ends: LinkRules = { peers: [], sources: [] },
  circuits?: Shaped["circuits"],
  leaves: SpaceLeaving | null = null,
  bounds: SmallBounds | null = null,
): string => {
  const leaving = spaceLeaving(leaves);
  const clients = clientRules(section);
  const shaped = spaceClasses(circuits, [links, ...clients.clamped]);
  const small = smallParts(bounds, leaves?.exit.interfaceName ?? null);
  const check = checkSources("link", `iifname ${links}`, ends.sources);
  const chains = [
    sourceChain([check], check.shortcuts),
    chain("c_link_in", linkIn),
    ...small.chains,
    ...clients.chains,
    chain(
      "c_input",
      [
        'iifname "lo" accept',
        `iifname ${links} jump c_link_in`,
        ...leaving.input,
        ...clients.input,
      ],
      "type filter hook input priority filter; policy drop;",
    ),
    chain(
      "c_forward",
      [
        ...small.forward,
        `iifname ${links} oifname ${links} accept`,
        ...leaving.forward,
        ...clients.forward,
      ],
      "type filter hook forward priority filter; policy drop;",
    ),
    chain(
      "c_mss",
      clampAll([links, ...clients.clamped]),
      "type filter hook forward priority mangle; policy accept;",
    ),
    ...leaving.chains,
    ...shaped.chains,
  ];
  const sets = [peers(ends.peers), ...check.sets, ...small.sets, ...leaving.sets, ...shaped.sets];
  return transaction({ sets, declared: small.declared, chains });
};
