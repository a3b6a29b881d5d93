/** Steps from the interfaces as they are to lines and LANs as they are wanted. Pure. */

import { type LanInterface, lanInterfaces } from "@weft/contract/device/v1/lan-interfaces.ts";
import { closedNetworks } from "@weft/contract/device/v1/spaces.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { UnderlaySection, VlanInterface } from "@weft/contract/device/v1/underlay.ts";
import { addressOf } from "@weft/contract/rules/address.ts";
import { canonicalCidr, familyOf } from "#drivers/address.ts";
import { type Follower, followerRules, followersOf } from "#drivers/central.ts";
import { phases, type Step } from "#drivers/driver.ts";
import { siteExitRules } from "#drivers/exits.ts";
import { hopRoutes, hopRules, lineTable } from "#drivers/policy-paths.ts";
import type { ObjectName } from "#drivers/refusals.ts";
import type { KeptLan } from "#drivers/refused-policy.ts";
import { cardName, hopName, ipv6Name, lanName, lineName } from "#drivers/without-refused.ts";
import { type MtuChange, minIpv6Mtu, mtuChanges, offCards, vlanMtuChanges } from "./cards.ts";
import { delegatedPrefixes, divide, prefixRules } from "./delegation.ts";
import { automaticLines, ipv6Lines, ipv6Settings } from "./ipv6-lines.ts";
import type { Ipv6Lease } from "./ipv6-report.ts";
import { leftLines, type Silence } from "./line-health.ts";
import type { LineTargets } from "./line-probes.ts";
import {
  type EffectiveLine,
  effectiveLines,
  farControllers,
  hostOf,
  type Lease,
  type Own,
  type OwnRoute,
  type OwnRule,
  priority,
  routesOf,
  routeText,
  rulesOf,
  ruleText,
  sysctlsOf,
} from "./render.ts";
import { type FoundVlans, type VlanChanges, vlanChanges } from "./vlans.ts";

export interface UnderlayPart {
  readonly lines: UnderlaySection["lines"];
  readonly lans: readonly LanInterface[];
  readonly cards?: UnderlaySection["cards"];
  /** Interfaces that the lines and LANs are on beside those of the machine; absent: none. */
  readonly vlans?: UnderlaySection["vlans"];
  /** Networks of the spaces in the main namespace: no lease gets a route to them. */
  readonly closed: readonly string[];
  /** LANs whose sources the firewall checks by networks. */
  readonly checked: readonly string[];
  /** Hosts that reach the internet by the space. */
  readonly followers: readonly Follower[];
  /** Routes and rules of next hops; absent: none. */
  readonly hops?: { readonly routes: readonly OwnRoute[]; readonly rules: readonly OwnRule[] };
  /** Links that go by the lines, and what they lead to; absent: none. */
  readonly tunnels?: Pick<LineTargets, "links" | "far">;
}

export interface FoundInterface {
  readonly up: boolean;
  readonly mtu: number;
  /** Global addresses, address/length. */
  readonly addresses: readonly string[];
}

/** What an interface had before this device's first document named it; given back when it leaves. */
export interface Factory {
  readonly addresses: readonly string[];
  readonly routes: readonly OwnRoute[];
  /** Absent: written by an edge that did not record it, and taken to be up. */
  readonly up?: boolean;
  /** It left the document, and has all of it again but for these routes, which would win over those of lines. */
  readonly isGiven?: true;
  /** It only carries VLANs: whether it is up is decided by the document, and its addresses are whoever's they were. */
  readonly isCard?: true;
}

export interface UnderlayFound {
  readonly interfaces: Readonly<Record<string, FoundInterface>>;
  readonly routes: readonly OwnRoute[];
  readonly rules: readonly OwnRule[];
  /** Default routes of main that others made. */
  readonly foreign: readonly OwnRoute[];
  readonly taken: Readonly<Record<string, Factory>>;
  /** MTU that cards had before theirs was first set. */
  readonly mtus: Readonly<Record<string, number>>;
  /** Absent: there is no interface of a VLAN. */
  readonly vlans?: FoundVlans;
  readonly leases: Readonly<Record<string, Lease>>;
  /** What lines have of IPv6 by router advertisements and DHCPv6; absent: none has anything. */
  readonly ipv6Leases?: Readonly<Record<string, Ipv6Lease>>;
  /** Interfaces with a DHCP client of ours. */
  readonly clients: readonly string[];
  /** The same of IPv6, with the settings of each; absent: there is none. */
  readonly ipv6Clients?: Readonly<Record<string, string>>;
  /** Null: the machine has no such setting, as an interface without IPv6 has none of IPv6. */
  readonly sysctls: ReadonlyMap<string, string | null>;
  /** Addresses of the controllers. */
  readonly controllers: readonly string[];
  /** Lines that lead nowhere although they are plugged, in the order in which they fell; absent: none. */
  readonly silent?: readonly Silence[];
  /** What is kept up between applies: leases, and which lines answer what; absent: not known. */
  readonly followed?: UnderlayPart;
}

export type UnderlayStep = Step &
  (
    | { readonly kind: "take"; readonly interfaceName: string; readonly factory: Factory }
    | { readonly kind: "follow" }
    | { readonly kind: "sysctl"; readonly key: string; readonly value: string }
    | { readonly kind: "up" | "down"; readonly interfaceName: string }
    | ({ readonly kind: "mtu" } & MtuChange)
    | ({ readonly kind: "add-vlan" } & VlanInterface)
    | { readonly kind: "del-vlan"; readonly interfaceName: string }
    | { readonly kind: "start-dhcp" | "stop-dhcp"; readonly interfaceName: string }
    | {
        readonly kind: "start-ipv6";
        readonly interfaceName: string;
        readonly settings: string;
      }
    | { readonly kind: "stop-ipv6"; readonly interfaceName: string }
    | {
        readonly kind: "add-address" | "del-address";
        readonly interfaceName: string;
        readonly address: string;
      }
    | { readonly kind: "add-route" | "del-route"; readonly route: OwnRoute; readonly own: boolean }
    | { readonly kind: "add-rule" | "del-rule"; readonly rule: OwnRule }
    | {
        readonly kind: "give-back";
        readonly interfaceName: string;
        /** What is kept for later; null: nothing. */
        readonly kept: Factory | null;
      }
  );

/** One whose rules are refused has no such check either. */
const checkedLans = ({ underlay: { lans } }: DesiredState): string[] =>
  [...Map.groupBy(lans, ({ interfaceName }) => interfaceName)].flatMap(([name, sections]) =>
    sections.every((lan: KeptLan) => lan.networks !== undefined && lan.isWithoutRules !== true)
      ? [name]
      : [],
  );

/** A next hop on an interface that is left out has no route: the kernel would refuse it, and the state with it. */
const hopsOf = (state: DesiredState): NonNullable<UnderlayPart["hops"]> => {
  const { policy, underlay } = state;
  const there = new Set([...underlay.lines, ...underlay.lans].map((line) => line.interfaceName));
  return {
    routes: hopRoutes(policy?.routes ?? []).filter(({ dev }) => there.has(dev)),
    rules: [...hopRules(policy?.routes ?? []), ...siteExitRules(state)],
  };
};

const tunnelsOf = ({ tunnels }: DesiredState): NonNullable<UnderlayPart["tunnels"]> => {
  const links = tunnels.flatMap((tunnel) => tunnel.links);
  const far = links.flatMap(({ endpoint }) => (endpoint === null ? [] : hostOf(endpoint)));
  return { links: links.map(({ id, slot }) => ({ id, slot })), far: [...new Set(far)] };
};

export const pickUnderlay = (state: DesiredState | null): UnderlayPart =>
  state === null
    ? { lines: [], lans: [], closed: [], checked: [], followers: [] }
    : {
        ...state.underlay,
        lans: lanInterfaces(state.underlay.lans),
        closed: closedNetworks(state).get(null) ?? [],
        checked: checkedLans(state),
        followers: followersOf(state),
        hops: hopsOf(state),
        tunnels: tunnelsOf(state),
      };

/** @param controllers addresses, as far as they are known */
export const ownOf = (
  { lans, closed, tunnels }: Pick<UnderlayPart, "lans" | "closed" | "tunnels">,
  controllers: readonly string[] = [],
): Own => ({
  lans: lans.flatMap(({ addresses }) => addresses),
  closed,
  ends: tunnels?.far ?? [],
  controllers,
});

type Bare<One> = One extends Step ? Omit<One, keyof Step | "kind"> & Pick<One, "kind"> : never;

const add = (summary: string, step: Bare<UnderlayStep>): UnderlayStep =>
  ({ driver: "underlay", phase: phases.addUnderlay, summary, ...step }) as UnderlayStep;
const remove = (summary: string, step: Bare<UnderlayStep>): UnderlayStep =>
  ({ driver: "underlay", phase: phases.removeUnderlay, summary, ...step }) as UnderlayStep;

/** Addresses and routes that are wanted, by interface of the document or given back. */
interface Wanted {
  readonly addresses: ReadonlyMap<string, readonly string[]>;
  readonly routes: readonly OwnRoute[];
  readonly rules: readonly OwnRule[];
  readonly givenBack: readonly string[];
  /** Families in which lines lead to the internet. */
  readonly led: ReadonlySet<4 | 6>;
}

/** What the interface has of the factory; before it is taken over that is all it has. */
const factoryOf = (observed: UnderlayFound, interfaceName: string): Factory => {
  const { up = false, addresses: there = [] } = observed.interfaces[interfaceName] ?? {};
  const taken = observed.taken[interfaceName];
  return {
    addresses:
      taken && !taken.isGiven && !taken.isCard
        ? taken.addresses.filter((address) => there.includes(address))
        : there,
    routes: observed.foreign.filter(({ dev }) => dev === interfaceName),
    up,
  };
};

/** Lines with a gateway. */
const leading = (lines: readonly EffectiveLine[]) =>
  lines.flatMap(({ slot, interfaceName, ip, gateway }) =>
    ip === null || gateway === null
      ? []
      : [{ slot, interfaceName, family: familyOf(ip), source: addressOf(ip), gateway }],
  );

type Leased = Pick<UnderlayFound, "leases" | "ipv6Leases">;

/** Lines as they are in each family: the ones of IPv4 with or without an address, those of IPv6 that have one. */
const allLines = (part: UnderlayPart, { leases, ipv6Leases = {} }: Leased): EffectiveLine[] => [
  ...effectiveLines(part.lines, leases, ownOf(part)),
  ...ipv6Lines(part.lines, ipv6Leases, ownOf(part)),
];

/** Prefixes that lines get, and their networks in LANs. */
export const delegationOf = (
  part: Pick<UnderlayPart, "lines" | "lans" | "closed" | "tunnels">,
  ipv6Leases: UnderlayFound["ipv6Leases"] = {},
  controllers: readonly string[] = [],
) => {
  const prefixes = delegatedPrefixes(part.lines, ipv6Leases, ownOf(part, controllers));
  return { prefixes, ...divide(part.lans, prefixes) };
};

/** Of the lines that have others of their family: those that lead nowhere. */
export const leftOf = (
  part: UnderlayPart,
  { silent = [], ...leased }: Leased & Pick<UnderlayFound, "silent">,
) => {
  const lines = leading(allLines(part, leased));
  const left = leftLines(lines, silent);
  return lines.filter(({ interfaceName }) => left.has(interfaceName));
};

/** What is asked by each line, to know whether it leads anywhere. @param controllers addresses */
export const targetsOf = (
  part: UnderlayPart,
  leases: UnderlayFound["leases"],
  controllers: readonly string[],
): LineTargets => ({
  lines: leading(effectiveLines(part.lines, leases, ownOf(part))).map(
    ({ slot, interfaceName, source, gateway }) => ({ slot, interfaceName, source, gateway }),
  ),
  links: part.tunnels?.links ?? [],
  far: [...(part.tunnels?.far ?? []), ...controllers],
});

/** Addresses of lines, by interface. */
const addressesOfLines = (
  lines: readonly EffectiveLine[],
  observed: UnderlayFound,
): Map<string, readonly string[]> => {
  const addresses = new Map<string, readonly string[]>();
  for (const { interfaceName, ip } of lines) {
    // Until there is a lease, what the factory set up goes on: it may be the only way out.
    const own = ip === null ? factoryOf(observed, interfaceName).addresses : [ip];
    addresses.set(interfaceName, [...new Set([...(addresses.get(interfaceName) ?? []), ...own])]);
  }
  return addresses;
};

/** Whether another line has its address. */
const hasTwin = ({ interfaceName, ip }: EffectiveLine, lines: readonly EffectiveLine[]): boolean =>
  ip !== null &&
  lines.some(
    (other) =>
      other.interfaceName !== interfaceName &&
      other.ip !== null &&
      addressOf(other.ip) === addressOf(ip),
  );

const want = (part: UnderlayPart, observed: UnderlayFound): Wanted => {
  const lines = allLines(part, observed);
  const left = leftOf(part, observed);
  const isLeft = (line: EffectiveLine): boolean =>
    left.some(
      ({ interfaceName, family }) =>
        interfaceName === line.interfaceName && line.ip !== null && family === familyOf(line.ip),
    );
  const lineNames = new Set(lines.map((line) => line.interfaceName));
  const addresses = addressesOfLines(lines, observed);
  const { prefixes, lans: networks } = delegationOf(
    part,
    observed.ipv6Leases,
    observed.controllers,
  );
  for (const { interfaceName, addresses: own } of part.lans) {
    const more = networks.filter((network) => network.interfaceName === interfaceName);
    addresses.set(interfaceName, [
      ...own.map(canonicalCidr),
      ...more.map(({ address }) => address.value),
    ]);
  }
  for (const name of offCards(part.cards ?? [])) addresses.set(name, []);
  const attached = Object.entries(observed.interfaces).flatMap(([name, { addresses: there }]) =>
    lineNames.has(name) ? [] : there,
  );
  const lans = part.lans.flatMap((lan) => lan.addresses);
  const far = farControllers(observed.controllers, [...attached, ...lans]);
  // A card that had a line or LAN before gets its own back; one that only carries VLANs has it, and what it has is another's.
  const cards = new Set(cardsOfVlans(part));
  // One that is gone gets its own back when it returns.
  const givenBack = Object.entries(observed.taken).flatMap(([name, { isGiven, isCard }]) => {
    const isHeld = cards.has(name) && (isGiven === true || isCard === true);
    return addresses.has(name) || isHeld || observed.interfaces[name] === undefined ? [] : [name];
  });
  for (const name of givenBack) {
    const factory = observed.taken[name];
    if (factory && !factory.isGiven && !factory.isCard) addresses.set(name, factory.addresses);
  }
  return {
    addresses,
    routes: [
      ...lines.flatMap((line) => routesOf(line, isLeft(line))),
      ...(part.hops?.routes ?? []),
    ],
    rules: [
      ...uniqueRules(
        lines.flatMap((line) => {
          const isBehind = isLeft(line) && hasTwin(line, lines);
          return rulesOf(line, far, isBehind ? "behind" : isLeft(line), part.tunnels?.far ?? []);
        }),
      ),
      ...prefixes
        .filter(({ slot }) => !left.some((line) => line.slot === slot && line.family === 6))
        .flatMap((prefix) => prefixRules(prefix, lineTable(prefix.slot))),
      ...followerRules(part.followers),
      ...(part.hops?.rules ?? []),
    ],
    givenBack,
    led: new Set(leading(lines).map(({ family }) => family)),
  };
};

/** A line with both families has its rules about marks once. */
const uniqueRules = (rules: readonly OwnRule[]): OwnRule[] => [
  ...new Map(rules.map((rule) => [ruleText(rule), rule])).values(),
];

/** Each once. */
const allOf = (...routes: readonly (readonly OwnRoute[])[]): OwnRoute[] => [
  ...new Map(routes.flat().map((route) => [routeText(route), route])).values(),
];

/** Cards that VLANs of the state are on. */
const cardsOfVlans = ({ vlans = [] }: UnderlayPart): string[] => [
  ...new Set(vlans.map(({ parent }) => parent)),
];

/** @param isCard it only carries VLANs */
const takeStep = (
  interfaceName: string,
  observed: UnderlayFound,
  isCard: boolean,
): UnderlayStep[] => {
  const before = observed.taken[interfaceName];
  const isTaken = before !== undefined && !before.isGiven;
  if (isTaken && (isCard || !before.isCard)) return [];
  const now = factoryOf(observed, interfaceName);
  // It is up by the document since.
  const up = isTaken && before.up !== undefined ? before.up : now.up === true;
  const routes = before?.routes ?? [];
  const factory: Factory = isCard
    ? { addresses: [], routes, up, isCard }
    : { addresses: now.addresses, routes: allOf(routes, now.routes), up };
  return [add(`take over ${interfaceName}`, { kind: "take", interfaceName, factory })];
};

const takeSteps = (part: UnderlayPart, observed: UnderlayFound): UnderlayStep[] => {
  const acting = new Set([
    ...[...part.lines, ...part.lans].map(({ interfaceName }) => interfaceName),
    ...offCards(part.cards ?? []),
  ]);
  return [
    ...[...acting].flatMap((name) => takeStep(name, observed, false)),
    ...cardsOfVlans(part)
      .filter((name) => !acting.has(name))
      .flatMap((name) => takeStep(name, observed, true)),
  ];
};

const mtuOf = (interfaceName: string, { interfaces }: UnderlayFound): number =>
  interfaces[interfaceName]?.mtu ?? minIpv6Mtu;

/**
 * MTU of cards, and then of the interfaces of VLANs that the device made on them, unless one is set of such an interface itself.
 * @param made those that it makes now
 */
const sizesOf = (
  { cards = [], vlans = [] }: UnderlayPart,
  { interfaces, mtus, vlans: found }: UnderlayFound,
  made: readonly VlanInterface[],
): MtuChange[] => {
  const names = new Set([...(found?.own ?? []), ...made.map((vlan) => vlan.interfaceName)]);
  const sized = cards.flatMap(({ interfaceName, mtu }) => (mtu === null ? [] : [interfaceName]));
  const following = vlans.filter(
    ({ interfaceName }) => names.has(interfaceName) && !sized.includes(interfaceName),
  );
  const ofCards = mtuChanges(cards, interfaces, mtus).filter(
    (change) => !following.some(({ interfaceName }) => interfaceName === change.interfaceName),
  );
  return [...ofCards, ...vlanMtuChanges(following, ofCards, interfaces)];
};

const interfaceSteps = (
  part: UnderlayPart,
  observed: UnderlayFound,
  made: readonly VlanInterface[],
): UnderlayStep[] => {
  const lines = part.lines.map((line) => line.interfaceName);
  const lans = part.lans.map((lan) => lan.interfaceName);
  const sysctls = lines.length + lans.length > 0 ? sysctlsOf(lines, lans, part) : new Map();
  const wantsDhcp = part.lines.filter((line) => line.addressing === "dhcp");
  const wantsIpv6 = new Map(
    automaticLines(part.lines).flatMap(({ interfaceName, ipv6 }) =>
      ipv6 === undefined ? [] : [[interfaceName, ipv6Settings(ipv6)]],
    ),
  );
  const sizes = sizesOf(part, observed, made);
  const hasIpv6 = observed.sysctls.get("ipv6/conf/all/forwarding") !== null;
  const coming = new Map([
    ...made.map(({ interfaceName, parent }) => [interfaceName, mtuOf(parent, observed)] as const),
    ...sizes.map(({ interfaceName, mtu }) => [interfaceName, mtu] as const),
  ]);
  /** It comes with an MTU that IPv6 can have, or with its interface. */
  const comes = (key: string): boolean => {
    const mtu = coming.get(interfaceOfSetting(key) ?? "");
    return mtu !== undefined && (!key.startsWith("ipv6/") || (hasIpv6 && mtu >= minIpv6Mtu));
  };
  return [
    // Before what needs IPv6, which an interface with a small one does not have.
    ...sizes.map((change) =>
      add(`set the MTU of ${change.interfaceName} to ${change.mtu}`, { kind: "mtu", ...change }),
    ),
    ...[...sysctls].flatMap(([key, value]) => {
      const now = observed.sysctls.get(key);
      return now === value || (now === null && !comes(key))
        ? []
        : [add(`set ${key} to ${value}`, { kind: "sysctl", key, value })];
    }),
    // A VLAN is up as long as its card is.
    ...[...new Set([...cardsOfVlans(part), ...lines, ...lans])].flatMap((interfaceName) =>
      observed.interfaces[interfaceName]?.up
        ? []
        : [add(`bring ${interfaceName} up`, { kind: "up", interfaceName })],
    ),
    ...wantsDhcp.flatMap(({ interfaceName }) =>
      observed.clients.includes(interfaceName)
        ? []
        : [add(`start DHCP on ${interfaceName}`, { kind: "start-dhcp", interfaceName })],
    ),
    ...observed.clients.flatMap((interfaceName) =>
      wantsDhcp.some((line) => line.interfaceName === interfaceName)
        ? []
        : [remove(`stop DHCP on ${interfaceName}`, { kind: "stop-dhcp", interfaceName })],
    ),
    ...[...wantsIpv6].flatMap(([interfaceName, settings]) =>
      observed.ipv6Clients?.[interfaceName] === settings
        ? []
        : [
            add(`follow router advertisements on ${interfaceName}`, {
              kind: "start-ipv6",
              interfaceName,
              settings,
            }),
          ],
    ),
    ...Object.keys(observed.ipv6Clients ?? {}).flatMap((interfaceName) =>
      wantsIpv6.has(interfaceName)
        ? []
        : [
            remove(`stop following router advertisements on ${interfaceName}`, {
              kind: "stop-ipv6",
              interfaceName,
            }),
          ],
    ),
  ];
};

const addressSteps = (wanted: Wanted, observed: UnderlayFound): UnderlayStep[] =>
  [...wanted.addresses].flatMap(([interfaceName, addresses]) => {
    const there = observed.interfaces[interfaceName]?.addresses ?? [];
    return [
      ...addresses
        .filter((address) => !there.includes(address))
        .map((address) =>
          add(`add address ${address} to ${interfaceName}`, {
            kind: "add-address",
            interfaceName,
            address,
          }),
        ),
      ...there
        .filter((address) => !addresses.includes(address))
        .map((address) =>
          remove(`take address ${address} from ${interfaceName}`, {
            kind: "del-address",
            interfaceName,
            address,
          }),
        ),
    ];
  });

/** The kernel takes one route of a destination and metric in a table: the new replaces the old. */
const placeOf = ({ family, table, destination, metric }: OwnRoute): string =>
  [family, table, destination, metric].join(" ");

const routeSteps = (
  wanted: Wanted,
  part: UnderlayPart,
  observed: UnderlayFound,
): UnderlayStep[] => {
  const there = new Set(observed.routes.map(routeText));
  const wants = new Set(wanted.routes.map(routeText));
  const places = new Set(wanted.routes.map(placeOf));
  const lines = new Set(
    allLines(part, observed).flatMap(({ interfaceName, ip }) =>
      ip === null ? [] : [interfaceName],
    ),
  );
  return [
    ...wanted.routes
      .filter((route) => !there.has(routeText(route)))
      .map((route) =>
        add(`add route ${routeText(route)}`, { kind: "add-route", route, own: true }),
      ),
    ...observed.routes
      .filter((route) => !wants.has(routeText(route)) && !places.has(placeOf(route)))
      .map((route) =>
        remove(`delete route ${routeText(route)}`, { kind: "del-route", route, own: true }),
      ),
    // The factory's default would win over those of the lines that have an address.
    ...observed.foreign
      .filter((route) => lines.has(route.dev) && !places.has(placeOf(route)))
      .map((route) =>
        remove(`delete route ${routeText(route)}`, { kind: "del-route", route, own: false }),
      ),
  ];
};

const ruleSteps = (wanted: Wanted, observed: UnderlayFound): UnderlayStep[] => {
  const there = new Set(observed.rules.map(ruleText));
  const wants = new Set(wanted.rules.map(ruleText));
  return [
    ...wanted.rules
      .filter((rule) => !there.has(ruleText(rule)))
      .map((rule) => add(`add rule ${ruleText(rule)}`, { kind: "add-rule", rule })),
    ...observed.rules
      .filter((rule) => !wants.has(ruleText(rule)))
      .map((rule) => ({
        ...remove(`delete rule ${ruleText(rule)}`, { kind: "del-rule", rule }),
        // Also on the way to the null state: a rule too many can cut the way to the controller.
        phase: phases.removeTunnel,
      })),
  ];
};

/** They would win over those of the lines, and lead hosts to an interface that they may not leave by. */
const supersededSteps = (
  interfaceName: string,
  { led }: Wanted,
  observed: UnderlayFound,
): UnderlayStep[] =>
  observed.foreign
    .filter(({ dev, family }) => dev === interfaceName && led.has(family))
    .map((route) =>
      remove(`delete route ${routeText(route)}`, { kind: "del-route", route, own: false }),
    );

/** Default routes of the factory, as long as no line leads to the internet. */
const factoryRouteSteps = (
  interfaceName: string,
  wanted: Wanted,
  observed: UnderlayFound,
): UnderlayStep[] => {
  const there = new Set(observed.foreign.map(routeText));
  return [
    ...(observed.taken[interfaceName]?.routes ?? [])
      .filter((route) => !wanted.led.has(route.family) && !there.has(routeText(route)))
      .map((route) =>
        add(`give back route ${routeText(route)}`, { kind: "add-route", route, own: false }),
      ),
    ...supersededSteps(interfaceName, wanted, observed),
  ];
};

/** A line that waits for its first lease goes on with what the factory set up, and a LAN leads nowhere. */
const waitingSteps = (
  wanted: Wanted,
  part: UnderlayPart,
  observed: UnderlayFound,
): UnderlayStep[] => {
  const waiting = effectiveLines(part.lines, observed.leases, ownOf(part)).filter(
    ({ ip }) => ip === null,
  );
  const lans = new Set(part.lans.map(({ interfaceName }) => interfaceName));
  return [
    ...waiting.flatMap(({ interfaceName }) =>
      factoryOf(observed, interfaceName).addresses.length > 0
        ? factoryRouteSteps(interfaceName, wanted, observed)
        : [],
    ),
    ...[...lans].flatMap((interfaceName) => supersededSteps(interfaceName, wanted, observed)),
  ];
};

/**
 * Interfaces that left the document get back what they had, before ours is taken away.
 * @param removed interfaces of VLANs that the device takes away itself
 */
const giveBackSteps = (
  wanted: Wanted,
  part: UnderlayPart,
  observed: UnderlayFound,
  removed: readonly string[],
): UnderlayStep[] =>
  wanted.givenBack.flatMap((interfaceName) => {
    const factory = observed.taken[interfaceName];
    if (!factory) return [];
    // Default routes of a card that only carried VLANs were never the edge's.
    const isUntouched = factory.isCard === true && factory.routes.length === 0;
    const routes = isUntouched
      ? []
      : allOf(
          factory.routes,
          observed.foreign.filter(({ dev }) => dev === interfaceName),
        );
    const { up = true } = factory;
    const isCard = cardsOfVlans(part).includes(interfaceName);
    // As long as there are lines, one of them may lead to the internet later.
    const isKept = part.lines.length > 0 && routes.length > 0;
    const given: Factory | null = isKept ? { addresses: [], routes, isGiven: true } : null;
    const kept: Factory | null = isCard ? { addresses: [], routes, up, isCard: true } : given;
    const isUp = observed.interfaces[interfaceName]?.up;
    return [
      // One that was off, before its routes.
      ...(factory.up === true && !isUp
        ? [add(`bring ${interfaceName} up`, { kind: "up", interfaceName })]
        : []),
      ...(isUntouched ? [] : factoryRouteSteps(interfaceName, wanted, observed)),
      ...(isUp && factory.up === false && !isCard && !removed.includes(interfaceName)
        ? [remove(`set ${interfaceName} down`, { kind: "down", interfaceName })]
        : []),
      ...(JSON.stringify(kept) === JSON.stringify(factory)
        ? []
        : [remove(`give back ${interfaceName}`, { kind: "give-back", interfaceName, kept })]),
    ];
  });

/** Last, when what takes their place is there. */
const offSteps = (part: UnderlayPart, observed: UnderlayFound): UnderlayStep[] =>
  offCards(part.cards ?? []).flatMap((interfaceName) =>
    observed.interfaces[interfaceName]?.up
      ? [remove(`set ${interfaceName} down`, { kind: "down", interfaceName })]
      : [],
  );

/** Interface of a kernel setting: "ipv4/conf/wan1/rp_filter". */
const interfaceOfSetting = (key: string): string | undefined =>
  /^ipv[46]\/conf\/([^/]+)\//.exec(key)?.[1];

/** The object that a step sets up; what takes something away belongs to none. */
const objectOf = (part: UnderlayPart, step: UnderlayStep): ObjectName | undefined => {
  const ofInterface = (name: string | undefined, address = name): ObjectName | undefined => {
    if (name === undefined) return undefined;
    if (part.lines.some(({ interfaceName }) => interfaceName === name)) return lineName(name);
    const isLan = part.lans.some(({ interfaceName }) => interfaceName === name);
    return isLan && address !== undefined ? lanName(address) : undefined;
  };
  switch (step.kind) {
    case "up":
    case "start-dhcp":
    case "add-vlan":
      return ofInterface(step.interfaceName);
    case "start-ipv6":
      return ipv6Name("line", step.interfaceName);
    case "mtu": {
      const card = part.vlans?.find((vlan) => vlan.interfaceName === step.interfaceName)?.parent;
      if (card === undefined)
        return step.before === null ? undefined : cardName(step.interfaceName);
      const isSet = part.cards?.some(({ interfaceName }) => interfaceName === card) === true;
      return isSet ? cardName(card) : ofInterface(step.interfaceName);
    }
    case "add-address": {
      const { interfaceName, address } = step;
      const ipv6 = familyOf(address) === 6 ? ipv6Of(part, interfaceName) : undefined;
      const isOwn = ownAddresses(part, interfaceName).includes(address);
      return isOwn ? ofInterface(interfaceName, address) : (ipv6 ?? ofInterface(interfaceName));
    }
    case "sysctl": {
      const name = interfaceOfSetting(step.key);
      if (name === undefined) return undefined;
      return (step.key.startsWith("ipv6/") ? ipv6Of(part, name) : undefined) ?? ofInterface(name);
    }
    case "add-rule":
      return objectOfRule(part, step.rule);
    case "add-route": {
      const { table, gateway, dev, family } = step.route;
      if (!step.own) return undefined;
      const isHop = gateway !== null && part.hops?.routes.some((route) => route.table === table);
      if (isHop) return hopName(gateway);
      const isOfIpv6 = family === 6 && !ownAddresses(part, dev).some((own) => familyOf(own) === 6);
      return (isOfIpv6 ? ipv6Of(part, dev) : undefined) ?? ofInterface(dev);
    }
    default:
      return undefined;
  }
};

/** By the place of a rule, the table that it leads to, or the mark that it fits. */
const objectOfRule = (part: UnderlayPart, rule: OwnRule): ObjectName | undefined => {
  const { family, text } = rule;
  const places = Object.values(priority);
  const line = part.lines.find(
    ({ slot }) =>
      places.includes(rule.priority - slot) || text.endsWith(`lookup ${lineTable(slot)}`),
  );
  if (line) {
    const name = line.interfaceName;
    const isOfIpv6 = family === 6 && !ownAddresses(part, name).some((own) => familyOf(own) === 6);
    return (isOfIpv6 ? ipv6Of(part, name) : undefined) ?? lineName(name);
  }
  const hop = part.hops?.routes.find(({ table }) => text.endsWith(`lookup ${table}`));
  return hop?.gateway ? hopName(hop.gateway) : undefined;
};

/** Addresses that the state gives an interface, but those of IPv6 that a WAN link has beside its address. */
const ownAddresses = ({ lines, lans }: UnderlayPart, name: string): string[] =>
  [
    ...lines.flatMap(({ interfaceName, ip }) =>
      interfaceName === name && ip !== null ? [ip] : [],
    ),
    ...lans.flatMap(({ interfaceName, addresses }) => (interfaceName === name ? addresses : [])),
  ].map(canonicalCidr);

/** What an interface is to have of IPv6 beside these; undefined: nothing. */
const ipv6Of = ({ lines, lans }: UnderlayPart, name: string): ObjectName | undefined => {
  const has = (all: readonly (typeof lines | typeof lans)[number][]): boolean =>
    all.some(({ interfaceName, ipv6 }) => interfaceName === name && ipv6 !== undefined);
  if (has(lines)) return ipv6Name("line", name);
  return has(lans) ? ipv6Name("lan", name) : undefined;
};

export const planUnderlay = (part: UnderlayPart, observed: UnderlayFound): UnderlayStep[] =>
  stepsOf(part, observed).map((step) => {
    const about = objectOf(part, step);
    return about === undefined ? step : { ...step, about };
  });

/** A part may differ in nothing that a step sets, as by tunnels that come later: what is asked by lines is theirs then. */
const followSteps = (part: UnderlayPart, { followed }: UnderlayFound): UnderlayStep[] => {
  if (followed === undefined || JSON.stringify(followed) === JSON.stringify(part)) return [];
  const count = part.tunnels?.links.length ?? 0;
  return [add(`follow ${part.lines.length} WAN links with ${count} tunnels`, { kind: "follow" })];
};

/** What is there once these interfaces have gone, with what was on them. */
const withoutInterfaces = (found: UnderlayFound, names: readonly string[]): UnderlayFound => {
  if (names.length === 0) return found;
  const isGone = (name: string | undefined): boolean => name !== undefined && names.includes(name);
  const others = <Value>(byName: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(byName).filter(([name]) => !isGone(name)));
  const { ipv6Leases, ipv6Clients } = found;
  return {
    ...found,
    interfaces: others(found.interfaces),
    routes: found.routes.filter(({ dev }) => !isGone(dev)),
    foreign: found.foreign.filter(({ dev }) => !isGone(dev)),
    leases: others(found.leases),
    clients: found.clients.filter((name) => !isGone(name)),
    ...(ipv6Leases && { ipv6Leases: others(ipv6Leases) }),
    ...(ipv6Clients && { ipv6Clients: others(ipv6Clients) }),
    sysctls: new Map(
      [...found.sysctls].map(([key, value]) => [
        key,
        isGone(interfaceOfSetting(key)) ? null : value,
      ]),
    ),
  };
};

/** Interfaces of VLANs that are in the way of others go before these are made. */
const replaceSteps = (
  { replaced, made }: VlanChanges,
  { clients, ipv6Clients = {}, taken }: UnderlayFound,
): UnderlayStep[] =>
  replaced.flatMap((interfaceName) => [
    ...(clients.includes(interfaceName)
      ? [add(`stop DHCP on ${interfaceName}`, { kind: "stop-dhcp", interfaceName })]
      : []),
    ...(ipv6Clients[interfaceName] === undefined
      ? []
      : [
          add(`stop following router advertisements on ${interfaceName}`, {
            kind: "stop-ipv6",
            interfaceName,
          }),
        ]),
    add(`remove ${interfaceName} of a VLAN`, { kind: "del-vlan", interfaceName }),
    // One that nothing is on: another interface of the name has nothing to get back.
    ...(taken[interfaceName] === undefined ||
    made.some((vlan) => vlan.interfaceName === interfaceName)
      ? []
      : [remove(`give back ${interfaceName}`, { kind: "give-back", interfaceName, kept: null })]),
  ]);

const stepsOf = (part: UnderlayPart, before: UnderlayFound): UnderlayStep[] => {
  const lines = part.lines
    .map(({ interfaceName }) => interfaceName)
    .filter((name) => before.interfaces[name] !== undefined);
  const lans = part.lans.map(({ interfaceName }) => interfaceName);
  const found = before.vlans ?? { there: [], own: [] };
  const vlans = vlanChanges(part.vlans ?? [], found, { lines, lans });
  const observed = withoutInterfaces(before, vlans.replaced);
  const wanted = want(part, observed);
  return [
    ...takeSteps(part, before),
    ...replaceSteps(vlans, before),
    ...vlans.made.map((vlan) =>
      add(`make ${vlan.interfaceName} for VLAN ${vlan.tag} of ${vlan.parent}`, {
        kind: "add-vlan",
        ...vlan,
      }),
    ),
    ...interfaceSteps(part, observed, vlans.made),
    ...addressSteps(wanted, observed),
    ...routeSteps(wanted, part, observed),
    ...ruleSteps(wanted, observed),
    ...waitingSteps(wanted, part, observed),
    ...giveBackSteps(wanted, part, observed, vlans.removed),
    ...offSteps(part, observed),
    // Last: what was on it has gone.
    ...vlans.removed.map((interfaceName) =>
      remove(`remove ${interfaceName} of a VLAN`, { kind: "del-vlan", interfaceName }),
    ),
    ...followSteps(part, observed),
  ];
};
