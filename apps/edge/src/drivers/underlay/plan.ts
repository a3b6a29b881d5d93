/** Steps from the interfaces as they are to lines and LANs as they are wanted. Pure. */

import { closedNetworks } from "@weft/contract/device/v1/spaces.ts";
import type { DesiredState, UnderlaySection } from "@weft/contract/device/v1/state.ts";
import { canonicalCidr } from "#drivers/address.ts";
import { type Follower, followerRules, followersOf } from "#drivers/central.ts";
import { phases, type Step } from "#drivers/driver.ts";
import { cardName, hopName, lanName, lineName } from "#drivers/fit-refused.ts";
import { hopRoutes, hopRules } from "#drivers/policy-paths.ts";
import type { ObjectName } from "#drivers/refusals.ts";
import { type MtuChange, mtuChanges, offCards } from "./cards.ts";
import {
  effectiveLines,
  farControllers,
  type Lease,
  type Own,
  type OwnRoute,
  type OwnRule,
  routesOf,
  routeText,
  rulesOf,
  ruleText,
  sysctlsOf,
} from "./render.ts";

export interface UnderlayPart {
  readonly lines: UnderlaySection["lines"];
  readonly lans: UnderlaySection["lans"];
  readonly cards?: UnderlaySection["cards"];
  /** Networks of the spaces in the main namespace: no lease gets a route to them. */
  readonly closed: readonly string[];
  /** LANs whose sources the firewall checks by networks. */
  readonly checked: readonly string[];
  /** Hosts that reach the internet by the space. */
  readonly followers: readonly Follower[];
  /** Routes and rules of next hops; absent: none. */
  readonly hops?: { readonly routes: readonly OwnRoute[]; readonly rules: readonly OwnRule[] };
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
  readonly leases: Readonly<Record<string, Lease>>;
  /** Interfaces with a DHCP client of ours. */
  readonly clients: readonly string[];
  readonly sysctls: ReadonlyMap<string, string>;
  /** Addresses of the controllers. */
  readonly controllers: readonly string[];
}

export type UnderlayStep = Step &
  (
    | { readonly kind: "take"; readonly interfaceName: string; readonly factory: Factory }
    | { readonly kind: "sysctl"; readonly key: string; readonly value: string }
    | { readonly kind: "up" | "down"; readonly interfaceName: string }
    | ({ readonly kind: "mtu" } & MtuChange)
    | { readonly kind: "start-dhcp" | "stop-dhcp"; readonly interfaceName: string }
    | {
        readonly kind: "add-address" | "del-address";
        readonly interfaceName: string;
        readonly address: string;
      }
    | { readonly kind: "add-route" | "del-route"; readonly route: OwnRoute; readonly own: boolean }
    | { readonly kind: "add-rule" | "del-rule"; readonly rule: OwnRule }
    | { readonly kind: "give-back"; readonly interfaceName: string }
  );

const checkedLans = ({ underlay: { lans }, firewall: { lan } }: DesiredState): string[] =>
  lans
    .map(({ interfaceName }) => interfaceName)
    .filter((name) => {
      const here = lan.filter(({ interfaceName }) => interfaceName === name);
      return here.length > 0 && here.every(({ networks }) => networks !== undefined);
    });

/** A next hop on an interface that is left out has no route: the kernel would refuse it, and the state with it. */
const hopsOf = ({ policy, underlay }: DesiredState): NonNullable<UnderlayPart["hops"]> => {
  const there = new Set([...underlay.lines, ...underlay.lans].map((one) => one.interfaceName));
  return {
    routes: hopRoutes(policy?.routes ?? []).filter(({ dev }) => there.has(dev)),
    rules: hopRules(policy?.routes ?? []),
  };
};

export const pickUnderlay = (state: DesiredState | null): UnderlayPart =>
  state === null
    ? { lines: [], lans: [], closed: [], checked: [], followers: [] }
    : {
        ...state.underlay,
        closed: closedNetworks(state).get(null) ?? [],
        checked: checkedLans(state),
        followers: followersOf(state),
        hops: hopsOf(state),
      };

export const ownOf = ({ lans, closed }: UnderlayPart): Own => ({
  lans: lans.flatMap(({ addresses }) => addresses),
  closed,
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
}

/** What the interface has of the factory; before it is taken over that is all it has. */
const factoryOf = (found: UnderlayFound, interfaceName: string): Factory => {
  const { up = false, addresses: there = [] } = found.interfaces[interfaceName] ?? {};
  const taken = found.taken[interfaceName]?.addresses;
  return {
    addresses: taken ? taken.filter((address) => there.includes(address)) : there,
    routes: found.foreign.filter(({ dev }) => dev === interfaceName),
    up,
  };
};

const want = (part: UnderlayPart, found: UnderlayFound): Wanted => {
  const lines = effectiveLines(part.lines, found.leases, ownOf(part));
  const lineNames = new Set(lines.map((line) => line.interfaceName));
  const addresses = new Map(
    lines.map(({ interfaceName, ip }): [string, readonly string[]] => [
      interfaceName,
      // Until there is a lease, what the factory set up goes on: it may be the only way out.
      ip ? [ip] : factoryOf(found, interfaceName).addresses,
    ]),
  );
  for (const lan of part.lans) addresses.set(lan.interfaceName, lan.addresses.map(canonicalCidr));
  for (const name of offCards(part.cards ?? [])) addresses.set(name, []);
  const attached = Object.entries(found.interfaces).flatMap(([name, { addresses: there }]) =>
    lineNames.has(name) ? [] : there,
  );
  const lans = part.lans.flatMap((lan) => lan.addresses);
  const far = farControllers(found.controllers, [...attached, ...lans]);
  // One that is gone gets its own back when it returns.
  const givenBack = Object.keys(found.taken).filter(
    (name) => !addresses.has(name) && found.interfaces[name] !== undefined,
  );
  for (const name of givenBack) addresses.set(name, found.taken[name]?.addresses ?? []);
  return {
    addresses,
    routes: [...lines.flatMap(routesOf), ...(part.hops?.routes ?? [])],
    rules: [
      ...lines.flatMap((line) => rulesOf(line, far)),
      ...followerRules(part.followers),
      ...(part.hops?.rules ?? []),
    ],
    givenBack,
  };
};

const takeSteps = (part: UnderlayPart, found: UnderlayFound): UnderlayStep[] =>
  [
    ...[...part.lines, ...part.lans].map(({ interfaceName }) => interfaceName),
    ...offCards(part.cards ?? []),
  ].flatMap((interfaceName) => {
    if (found.taken[interfaceName] !== undefined) return [];
    const factory = factoryOf(found, interfaceName);
    return [add(`take over ${interfaceName}`, { kind: "take", interfaceName, factory })];
  });

const interfaceSteps = (part: UnderlayPart, found: UnderlayFound): UnderlayStep[] => {
  const lines = part.lines.map((line) => line.interfaceName);
  const lans = part.lans.map((lan) => lan.interfaceName);
  const sysctls = lines.length + lans.length > 0 ? sysctlsOf(lines, lans, part) : new Map();
  const wantsDhcp = part.lines.filter((line) => line.addressing === "dhcp");
  return [
    // Before what needs IPv6, which an interface with a small one does not have.
    ...mtuChanges(part.cards ?? [], found.interfaces, found.mtus).map((change) =>
      add(`set the MTU of ${change.interfaceName} to ${change.mtu}`, { kind: "mtu", ...change }),
    ),
    ...[...sysctls].flatMap(([key, value]) =>
      found.sysctls.get(key) === value
        ? []
        : [add(`set ${key} to ${value}`, { kind: "sysctl", key, value })],
    ),
    ...[...lines, ...lans].flatMap((interfaceName) =>
      found.interfaces[interfaceName]?.up
        ? []
        : [add(`bring ${interfaceName} up`, { kind: "up", interfaceName })],
    ),
    ...wantsDhcp.flatMap(({ interfaceName }) =>
      found.clients.includes(interfaceName)
        ? []
        : [add(`start DHCP on ${interfaceName}`, { kind: "start-dhcp", interfaceName })],
    ),
    ...found.clients.flatMap((interfaceName) =>
      wantsDhcp.some((line) => line.interfaceName === interfaceName)
        ? []
        : [remove(`stop DHCP on ${interfaceName}`, { kind: "stop-dhcp", interfaceName })],
    ),
  ];
};

const addressSteps = (wanted: Wanted, found: UnderlayFound): UnderlayStep[] =>
  [...wanted.addresses].flatMap(([interfaceName, addresses]) => {
    const there = found.interfaces[interfaceName]?.addresses ?? [];
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

const routeSteps = (wanted: Wanted, part: UnderlayPart, found: UnderlayFound): UnderlayStep[] => {
  const there = new Set(found.routes.map(routeText));
  const wants = new Set(wanted.routes.map(routeText));
  const places = new Set(wanted.routes.map(placeOf));
  const effective = effectiveLines(part.lines, found.leases, ownOf(part)).filter(
    ({ ip }) => ip !== null,
  );
  const lines = new Set(effective.map((line) => line.interfaceName));
  return [
    ...wanted.routes
      .filter((route) => !there.has(routeText(route)))
      .map((route) =>
        add(`add route ${routeText(route)}`, { kind: "add-route", route, own: true }),
      ),
    ...found.routes
      .filter((route) => !wants.has(routeText(route)) && !places.has(placeOf(route)))
      .map((route) =>
        remove(`delete route ${routeText(route)}`, { kind: "del-route", route, own: true }),
      ),
    // The factory's default would win over those of the lines that have an address.
    ...found.foreign
      .filter((route) => lines.has(route.dev) && !places.has(placeOf(route)))
      .map((route) =>
        remove(`delete route ${routeText(route)}`, { kind: "del-route", route, own: false }),
      ),
  ];
};

const ruleSteps = (wanted: Wanted, found: UnderlayFound): UnderlayStep[] => {
  const there = new Set(found.rules.map(ruleText));
  const wants = new Set(wanted.rules.map(ruleText));
  return [
    ...wanted.rules
      .filter((rule) => !there.has(ruleText(rule)))
      .map((rule) => add(`add rule ${ruleText(rule)}`, { kind: "add-rule", rule })),
    ...found.rules
      .filter((rule) => !wants.has(ruleText(rule)))
      .map((rule) => ({
        ...remove(`delete rule ${ruleText(rule)}`, { kind: "del-rule", rule }),
        // Also on the way to the null state: a rule too many can cut the way to the controller.
        phase: phases.removeTunnel,
      })),
  ];
};

/** Interfaces that left the document get back what they had, before ours is taken away. */
const giveBackSteps = (wanted: Wanted, found: UnderlayFound): UnderlayStep[] =>
  wanted.givenBack.flatMap((interfaceName) => {
    const there = new Set(found.foreign.map(routeText));
    const { routes = [], up = true } = found.taken[interfaceName] ?? {};
    return [
      // One that was off, before its routes.
      ...(found.taken[interfaceName]?.up === true && !found.interfaces[interfaceName]?.up
        ? [add(`bring ${interfaceName} up`, { kind: "up", interfaceName })]
        : []),
      ...routes
        .filter((route) => !there.has(routeText(route)))
        .map((route) =>
          add(`give back route ${routeText(route)}`, { kind: "add-route", route, own: false }),
        ),
      ...(found.interfaces[interfaceName]?.up && !up
        ? [remove(`set ${interfaceName} down`, { kind: "down", interfaceName })]
        : []),
      remove(`give back ${interfaceName}`, { kind: "give-back", interfaceName }),
    ];
  });

/** Last, when what takes their place is there. */
const offSteps = (part: UnderlayPart, found: UnderlayFound): UnderlayStep[] =>
  offCards(part.cards ?? []).flatMap((interfaceName) =>
    found.interfaces[interfaceName]?.up
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
      return ofInterface(step.interfaceName);
    case "mtu":
      return step.before === null ? undefined : cardName(step.interfaceName);
    case "add-address":
      return ofInterface(step.interfaceName, step.address);
    case "sysctl":
      return ofInterface(interfaceOfSetting(step.key));
    case "add-route": {
      const { table, gateway, dev } = step.route;
      if (!step.own) return undefined;
      const isHop = gateway !== null && part.hops?.routes.some((one) => one.table === table);
      return isHop ? hopName(gateway) : ofInterface(dev);
    }
    default:
      return undefined;
  }
};

export const planUnderlay = (part: UnderlayPart, found: UnderlayFound): UnderlayStep[] =>
  stepsOf(part, found).map((step) => {
    const about = objectOf(part, step);
    return about === undefined ? step : { ...step, about };
  });

const stepsOf = (part: UnderlayPart, found: UnderlayFound): UnderlayStep[] => {
  const wanted = want(part, found);
  return [
    ...takeSteps(part, found),
    ...interfaceSteps(part, found),
    ...addressSteps(wanted, found),
    ...routeSteps(wanted, part, found),
    ...ruleSteps(wanted, found),
    ...giveBackSteps(wanted, found),
    ...offSteps(part, found),
  ];
};
