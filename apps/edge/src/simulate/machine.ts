/** A device without a machine: drivers in memory, metrics that look like those of a network. */

import { accelerationCapability } from "@weft/contract/device/v1/acceleration.ts";
import {
  lanTranslationCapability,
  rankedSitesCapability,
} from "@weft/contract/device/v1/additions.ts";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import {
  type DnsSection,
  dnsCapabilities,
  dnsRouteCapability,
} from "@weft/contract/device/v1/dns.ts";
import { flowRecordsCapability } from "@weft/contract/device/v1/flow-records.ts";
import { groupsCapability } from "@weft/contract/device/v1/groups.ts";
import { type LanInterface, lanInterfaces } from "@weft/contract/device/v1/lan-interfaces.ts";
import { filtersOf } from "@weft/contract/device/v1/name-filters.ts";
import {
  classesCapability,
  specialLinksCapability,
} from "@weft/contract/device/v1/path-classes.ts";
import { aclCountsCapability, routeCapabilities } from "@weft/contract/device/v1/policy.ts";
import { segmentsCapability } from "@weft/contract/device/v1/segments.ts";
import {
  circuitsCapability,
  type ShapingSection,
  shapingCapability,
} from "@weft/contract/device/v1/shaping.ts";
import { type StandbySection, standbyCapability } from "@weft/contract/device/v1/standby.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { LinkState } from "@weft/contract/device/v1/tunnel.ts";
import {
  type LanSection,
  lanPrefixCapability,
  vlanCapability,
  wanIpv6Capability,
} from "@weft/contract/device/v1/underlay.ts";
import {
  dnsFamilies,
  policyCapability,
  sentFamilies,
  siteFamilies,
  underlayFamilies,
} from "@weft/contract/domains/policies/policy-actions.ts";
import { classPlacesOf } from "#drivers/classes/render.ts";
import {
  type DeviceMetrics,
  type LineReport,
  type LinkMeasure,
  type Machine,
  phases,
} from "#drivers/driver.ts";
import { groupsOf } from "#drivers/paths/candidates.ts";
import { Refusals } from "#drivers/refusals.ts";
import { Repairs } from "#drivers/repairs.ts";
import type { DriverName } from "#drivers/section-drivers.ts";
import type { Clock } from "#edge/clock.ts";
import { type Character, well } from "./character.ts";
import { simulatedCommands } from "./commands.ts";
import { simulatedFlows } from "./flows.ts";
import { simulatedHits } from "./hits.ts";
import { simulatedIpv6, simulatedIpv6State } from "./ipv6.ts";
import { simulatedLeases } from "./leases.ts";
import { type MemoryDriver, type MemoryDriverSpec, memoryDriver } from "./memory-driver.ts";
import type { Neighbourhood, Way } from "./neighbourhood.ts";
import { simulatedPaths } from "./paths.ts";
import { seededFraction, seedOf } from "./seeded.ts";

export interface SimulatedMachine extends Machine {
  readonly drivers: readonly MemoryDriver[];
  /** Takes a line away, or gives it back, while the device runs. */
  setLine(interfaceName: string, isUp: boolean): void;
}

const links = (state: DesiredState): readonly LinkState[] =>
  state.tunnels.flatMap((tunnel) => tunnel.links);

const entries = <Item>(items: readonly Item[], name: (item: Item) => string) =>
  new Map(items.map((item) => [name(item), canonicalJson(item)]));

/** What hosts of a LAN section may do: its addresses are of another driver. */
const accessOf = ({ addresses: _, ipv6: _ipv6, ...access }: LanSection) => access;

/** Each driver as it would be on a machine, in memory. */
const drivers: Readonly<Record<DriverName, Omit<MemoryDriverSpec, "name">>> = {
  isolation: {
    add: phases.addUnderlay,
    remove: phases.removeUnderlay,
    settings: ({ spaces = [] }) => entries(spaces, ({ spaceId }) => `networks ${spaceId}`),
  },
  underlay: {
    add: phases.addUnderlay,
    remove: phases.removeUnderlay,
    settings: ({ underlay }) =>
      new Map([
        ...entries(underlay.lines, (line) => `line ${line.interfaceName}`),
        ...entries(lanInterfaces(underlay.lans), (lan) => `lan ${lan.interfaceName}.${lan.vlan}`),
        ...entries(underlay.cards ?? [], (card) => `card ${card.interfaceName}`),
        ...entries(underlay.vlans ?? [], (vlan) => `vlan ${vlan.interfaceName}`),
      ]),
    about: (key) => {
      const [kind = "", name = ""] = key.split(" ");
      return {
        section: "underlay",
        kind,
        object: kind === "lan" ? name.replace(/\.\d+$/, "") : name,
      };
    },
  },
  firewall: {
    add: phases.firewall,
    remove: phases.firewall,
    settings: ({ underlay: { lans }, firewall, policy, site, groups }) =>
      new Map([
        ...(groups ? ([["groups", canonicalJson(groups)]] as const) : []),
        ...(site ? ([["site", canonicalJson(site)]] as const) : []),
        ["rules", canonicalJson({ ...firewall, lans: lans.map(accessOf) })],
        ...(policy ? ([["policy", canonicalJson(policy)]] as const) : []),
      ]),
  },
  tunnel: {
    add: phases.addTunnel,
    remove: phases.removeTunnel,
    settings: (state) => entries(links(state), (link) => `link ${link.interfaceName}`),
  },
  client: {
    add: phases.addTunnel,
    remove: phases.removeTunnel,
    settings: ({ clients = [] }) => entries(clients, (client) => `clients ${client.interfaceName}`),
  },
  routing: {
    add: phases.addRouting,
    remove: phases.removeRouting,
    settings: (state) =>
      new Map([
        ...entries(state.static.routes, (route) => `route ${route.destination} ${route.nextHop}`),
        ...entries(state.routings, (routing) => `space ${routing.spaceId}`),
        ...entries(state.site?.neighbors ?? [], ({ address }) => `neighbor ${address}`),
        ...entries(state.site?.interfaces ?? [], (port) => `ospf ${port.interfaceName}`),
      ]),
  },
  segment: {
    add: phases.addRouting,
    remove: phases.removeRouting,
    settings: (state) => entries(state.segments ?? [], ({ spaceId }) => `space ${spaceId}`),
  },
  acceleration: {
    add: phases.addTunnel,
    remove: phases.removeTunnel,
    settings: (state) => entries(state.accelerations ?? [], ({ spaceId }) => `space ${spaceId}`),
  },
  probe: {
    add: phases.probe,
    remove: phases.probe,
    settings: (state) =>
      new Map(links(state).flatMap(({ id, probe }) => (probe ? [[String(id), "on"]] : []))),
  },
  paths: {
    add: phases.probe,
    remove: phases.probe,
    settings: (state) =>
      new Map(
        state.paths
          ? [
              ["limits", canonicalJson(state.paths)],
              ["groups", canonicalJson(groupsOf(state))],
            ]
          : [],
      ),
  },
  classes: {
    add: phases.addRouting,
    remove: phases.removeRouting,
    settings: (state) => entries(classPlacesOf(state), ({ netns }) => netns ?? "main"),
  },
  shaping: {
    add: phases.shaping,
    remove: phases.shaping,
    settings: ({ shaping }) => new Map(shaping ? [["rates", canonicalJson(shaping)]] : []),
  },
  dns: {
    add: phases.dns,
    remove: phases.dns,
    settings: ({ dns }) => new Map(dns ? [["dns", canonicalJson(dns)]] : []),
  },
  filters: {
    add: phases.filters,
    remove: phases.dns,
    settings: (state) => entries(filtersOf(state), ({ hosts }) => canonicalJson(hosts)),
  },
  flows: {
    add: phases.probe,
    remove: phases.probe,
    settings: ({ system }) => new Map(system?.flowRecords ? [["record", "on"]] : []),
  },
  standby: {
    add: phases.addStandby,
    remove: phases.removeStandby,
    settings: ({ standby }) => new Map(standby ? [["group", canonicalJson(standby)]] : []),
  },
};

const makeDrivers = (): readonly MemoryDriver[] =>
  Object.entries(drivers).map(([name, spec]) =>
    memoryDriver({ name: name as DriverName, ...spec }),
  );

type UnderlayLine = DesiredState["underlay"]["lines"][number];

const linesIn = (underlay: ReadonlyMap<string, string>): UnderlayLine[] =>
  [...underlay].flatMap(([key, text]) =>
    key.startsWith("line ") ? [JSON.parse(text) as UnderlayLine] : [],
  );

const interfaceOf = (key: string): string => key.split(" ")[1] ?? key;

const lineOf = (
  [key, text]: readonly [string, string],
  isDead: (line: string) => boolean,
): LineReport => {
  const line = JSON.parse(text) as UnderlayLine;
  const { addressing, ip } = line;
  // A DHCP line gets an address of the shared space (RFC 6598), the same one after every start.
  const leased = `100.64.${seedOf(key) % 256}.${(seedOf(text) % 253) + 1}/24`;
  const interfaceName = interfaceOf(key);
  const up = !isDead(interfaceName);
  // A lease ends with its line; what was set by hand stays.
  return { interfaceName, addressing, address: ip ?? (up ? leased : null), up };
};

const dayMs = 86_400_000;
const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** How often a value of a link moves, ms; a burst of loss lasts longer. */
const valueMs = 5_000;
const burstMs = 60_000;

/**
 * Ms of a round trip over a link: of its distance, and of the way that its carrier takes. Of the link alone, so that both
 * ends measure the same.
 */
const roundTrip = (id: number, now: number, { distance, extraRttMs }: Way): number => {
  const detour = seededFraction(id);
  const noise = seededFraction(id, Math.floor(now / valueMs));
  // 45 km of cable a millisecond there and back: two thirds of the speed of light, and routes that are half as long again.
  const far = distance === null ? 6 + 60 * detour : 3 + distance / 45 + 6 * detour;
  return far + (0.4 + 2 * detour) * noise + extraRttMs;
};

interface Measuring {
  readonly id: number;
  /** Of the device. */
  readonly seed: number;
  readonly now: number;
  readonly isProbed: boolean;
  /** It is the end that a site has: more comes than goes. */
  readonly isSite: boolean;
  readonly way: Way;
}

/**
 * Metrics of one link in the direction that the device sends in: a round trip, a breath of jitter, a rare burst of loss, and
 * a load that follows the hours of the day.
 */
const measure = ({ id, seed, now, isProbed, isSite, way }: Measuring): LinkMeasure => {
  const character = seededFraction(seed, id);
  const noise = seededFraction(seed, id, Math.floor(now / valueMs));
  const burst = seededFraction(seed, id, Math.floor(now / burstMs), 7) > 0.985;
  const hour = (Math.sin(((now % dayMs) / dayMs - 0.25) * 2 * Math.PI) + 1) / 2;
  const ofLink = seededFraction(id, 3);
  const load = (2e6 + ofLink * 40e6) * (0.15 + 0.85 * hour) * (0.7 + 0.6 * noise);
  const back = load * (0.2 + 0.3 * ofLink);
  const jitterMs = 0.2 + 2 * character * noise + (burst ? 12 * noise : 0);
  return {
    id,
    up: true,
    rttMs: isProbed ? round(roundTrip(id, now, way), 2) : null,
    jitterMs: isProbed ? round(jitterMs, 2) : null,
    lossPercent: isProbed ? (burst ? round(1 + 5 * noise, 1) : 0) : null,
    inRate: Math.round(isSite ? load : back),
    outRate: Math.round(isSite ? back : load),
  };
};

const silent = { rttMs: null, jitterMs: null, lossPercent: null, inRate: null, outRate: null };

/** A normal measurement with this device's loss: the packets that it sends are the ones that get lost. */
const troubled = (base: LinkMeasure, { lossPercent }: Character): LinkMeasure => ({
  ...base,
  lossPercent:
    base.lossPercent === null || lossPercent === 0
      ? base.lossPercent
      : round(Math.min(100, base.lossPercent + lossPercent * (0.6 + (base.jitterMs ?? 1) / 4)), 1),
});

/** What carries a link of a device. */
interface Carrier {
  /** Interface of the line; null: the device has none for it. */
  readonly line: string | null;
  readonly isSite: boolean;
}

/**
 * Links by their ids, with the interface of the line that carries each. It is asked for each second and changes
 * seldom: texts are parsed again only when one of them changed.
 */
const linkCarriers = () => {
  let texts: readonly string[] = [];
  let links: ReadonlyMap<number, Carrier> = new Map();
  return (underlay: ReadonlyMap<string, string>, tunnels: ReadonlyMap<string, string>) => {
    const lineTexts = [...underlay].flatMap(([key, text]) => (key.startsWith("line ") ? text : []));
    const now = [...lineTexts, ...tunnels.values()];
    if (now.length === texts.length && now.every((text, at) => text === texts[at])) return links;
    const bySlot = new Map(
      linesIn(underlay).map(({ slot, interfaceName }) => [slot, interfaceName]),
    );
    texts = now;
    links = new Map(
      [...tunnels.values()].map((text) => {
        const { id, slot, address4, peerAddress4 } = JSON.parse(text) as LinkState;
        // Who calls, the site, has the second of the two addresses (ADR 0007).
        return [id, { line: bySlot.get(slot) ?? null, isSite: address4 > peerAddress4 }];
      }),
    );
    return links;
  };
};

/** bit/s that a WAN link carries outwards, by interface: what the device shapes it to. */
const ratesOf = (underlay: ReadonlyMap<string, string>, shaping: ReadonlyMap<string, string>) => {
  const text = shaping.get("rates");
  const { lines: shaped } =
    text === undefined ? { lines: [] } : (JSON.parse(text) as ShapingSection);
  return new Map(
    linesIn(underlay).flatMap(({ slot, interfaceName }): [string, number][] => {
      const up = shaped.find((line) => line.slot === slot)?.up;
      return up === undefined ? [] : [[interfaceName, up * 1_000]];
    }),
  );
};

/** Queues keep a link that has more to send than it carries a little below its rate. */
const carried = (rate: number, maxRate: number | undefined): number =>
  maxRate === undefined ? rate : Math.min(rate, Math.round(maxRate * 0.96));

export interface MachineOptions {
  readonly character?: Character;
  /** The other devices; without them every link is up whose line is. */
  readonly neighbourhood?: Neighbourhood;
}

/** Load of a line and of the device itself: the hours of the day, and a little noise. */
const deviceMetrics = (
  seed: number,
  names: readonly string[],
  now: number,
  rates: ReadonlyMap<string, number>,
): DeviceMetrics => {
  const hour = (Math.sin(((now % dayMs) / dayMs - 0.25) * 2 * Math.PI) + 1) / 2;
  const noise = (key: number) => seededFraction(seed, key, Math.floor(now / 15_000));
  return {
    lines: names.map((interfaceName, at) => {
      const ofLine = seededFraction(seed, seedOf(interfaceName));
      const load = (4e6 + ofLine * 60e6) * (0.15 + 0.85 * hour) * (0.7 + 0.6 * noise(at));
      const inRate = Math.round(load);
      const outRate = Math.round(load * (0.2 + 0.3 * ofLine));
      return { interfaceName, inRate, outRate: carried(outRate, rates.get(interfaceName)) };
    }),
    cpuPercent: round(4 + 38 * hour * (0.6 + 0.8 * noise(91)), 1),
    memoryPercent: round(34 + 12 * seededFraction(seed, 92) + 3 * noise(93), 1),
  };
};

/** Lines that are dead from the start, and those that fall and come back while the device runs. */
const lineTransitions = ({ deadLines }: Character) => {
  const fallen = new Set<string>();
  let changed = (): void => undefined;
  return {
    isDead: (line: string): boolean => deadLines.includes(line) || fallen.has(line),
    watchLines: (notify: () => void) => {
      changed = notify;
      return () => {
        changed = () => undefined;
      };
    },
    setLine: (line: string, isUp: boolean): void => {
      if (isUp) fallen.delete(line);
      else fallen.add(line);
      changed();
    },
  };
};

/** Both devices of a group are whole, and so each is what it is to be. */
const standbyOf = (applied: ReadonlyMap<string, string>, since: number) => {
  const text = applied.get("group");
  return text === undefined ? null : { place: (JSON.parse(text) as StandbySection).role, since };
};

/** It keeps objects of policies, as it keeps all of its state. */
const simulated: readonly string[] = [
  "wireguard.kernel",
  aclCountsCapability,
  lanTranslationCapability,
  rankedSitesCapability,
  shapingCapability,
  groupsCapability,
  circuitsCapability,
  segmentsCapability,
  accelerationCapability,
  classesCapability,
  specialLinksCapability,
  flowRecordsCapability,
  standbyCapability,
  wanIpv6Capability,
  lanPrefixCapability,
  vlanCapability,
  ...Object.values(dnsCapabilities),
  dnsRouteCapability,
  ...routeCapabilities,
  ...[...sentFamilies, ...siteFamilies, ...dnsFamilies, ...underlayFamilies].map(policyCapability),
];

/** Nothing of it dies, is in the way, or has to be started. */
const uneventful = () => ({
  start: async () => {},
  stop: async () => {},
  giveBack: async () => {},
  pathMtus: () => new Map<number, never>(),
  foreignSources: () => [],
  smallDrops: () => [],
  exhaustedRanges: () => [],
  resolverFailure: () => null,
  filterFailure: () => null,
  standbyFailure: () => null,
  silentLines: () => [],
  deadIpv6: () => new Set<never>(),
  silentRouters: () => new Set<never>(),
  cutSegments: () => new Map<number, never>(),
  cutExits: () => new Set<never>(),
  flowTable: () => null,
  controllers: async () => [],
  repairs: new Repairs(),
  watchKernel: () => () => undefined,
  checkMs: 0,
  strangers: async () => [],
});

/** @param name decides all its metrics: the same device looks the same after every start */
export const simulatedMachine = (
  clock: Clock,
  name: string,
  { character: own = well, neighbourhood }: MachineOptions = {},
): SimulatedMachine => {
  const [drivers, seed, since] = [makeDrivers(), seedOf(name), clock.now()] as const;
  const commands = simulatedCommands(clock, seed, own, () => ({
    interfaces: [...applied("underlay").values()].map((text) => JSON.parse(text)),
    routes: [...applied("routing").values()].map((text) => JSON.parse(text)),
  }));
  const { isDead, ...transitions } = lineTransitions(own);
  const applied = (driver: string) =>
    drivers.find((candidate) => candidate.name === driver)?.applied ?? new Map<string, string>();
  const carriers = linkCarriers();
  const upLinks = () => {
    const links = carriers(applied("underlay"), applied("tunnel"));
    const carried = new Set(
      [...links].flatMap(([id, { line }]) => (line && isDead(line) ? [] : [id])),
    );
    const up = neighbourhood ? neighbourhood.meet(name, carried) : carried;
    const isSettled = neighbourhood?.isSettled(clock.monotonic()) !== false;
    /** Whether one without an answer is down: its other end may only be starting with this one. */
    const isKnown = (id: number): boolean => up.has(id) || !carried.has(id) || isSettled;
    return { links, up, isKnown };
  };
  neighbourhood?.join(name, own);
  const alone: Way = { distance: null, extraRttMs: own.extraRttMs };
  const metricsNow = (isProbed: (id: number) => boolean): LinkMeasure[] => {
    const { links, up, isKnown } = upLinks();
    const rates = ratesOf(applied("underlay"), applied("shaping"));
    const mostOf = (line: string | null): number | undefined => {
      const maxRate = rates.get(line ?? "");
      return maxRate && maxRate / [...links.values()].filter((other) => other.line === line).length;
    };
    const normal = (id: number, { line, isSite }: Carrier): LinkMeasure => {
      const way = neighbourhood?.wayOf(id) ?? alone;
      const now = clock.now();
      const base = measure({ id, seed, now, isProbed: isProbed(id), isSite, way });
      const outRate = carried(base.outRate ?? 0, mostOf(line));
      neighbourhood?.send(name, id, outRate);
      const inRate = neighbourhood?.receivedBy(name, id) ?? base.inRate;
      return troubled({ ...base, inRate, outRate }, own);
    };
    const known = [...links].filter(([id]) => isKnown(id));
    return known.map(([id, carrier]) =>
      up.has(id) ? normal(id, carrier) : { id, up: false, ...silent },
    );
  };
  return {
    ...uneventful(),
    drivers,
    commands,
    refusals: new Refusals(null, clock.monotonic),
    capabilities: async () => [
      ...simulated.map((text) => ({ name: text, can: true, reason: null })),
      ...(await commands.capabilities()),
    ],
    leases: async () => ({}),
    interfaces: async () => own.ports && new Map(own.ports.map((port) => [port, []])),
    ipv6Lines: async (now) => simulatedIpv6(seed, linesIn(applied("underlay")), now, isDead),
    ipv6: () =>
      simulatedIpv6State(simulatedIpv6(seed, linesIn(applied("underlay")), clock.now(), isDead)),
    lines: async () =>
      [...applied("underlay")]
        .filter(([key]) => key.startsWith("line "))
        .map((entry) => lineOf(entry, isDead)),
    standby: () => standbyOf(applied("standby"), since),
    hostLeases: () => {
      const dns = applied("dns").get("dns");
      const section = dns === undefined ? { ranges: [] } : (JSON.parse(dns) as DnsSection);
      return simulatedLeases(seed, section, clock.now());
    },
    hits: async (max) => simulatedHits(seed, applied("firewall"), clock.now()).slice(0, max),
    metrics: async () =>
      deviceMetrics(
        seed,
        [...applied("underlay").keys()]
          .filter((key) => key.startsWith("line "))
          .map(interfaceOf)
          .filter((line) => !isDead(line)),
        clock.now(),
        ratesOf(applied("underlay"), applied("shaping")),
      ),
    measures: async () => metricsNow((id) => applied("probe").has(String(id))),
    ...simulatedPaths(
      clock,
      () => applied("paths"),
      () => metricsNow(() => true),
    ),
    flows: simulatedFlows(seed, clock, {
      isRecording: () => applied("flows").size > 0,
      lans: () =>
        [...applied("underlay")].flatMap(([key, text]) =>
          key.startsWith("lan ") ? (JSON.parse(text) as LanInterface).addresses : [],
        ),
    }),
    verdicts: () => {
      const { links, up, isKnown } = upLinks();
      const probed = [...links.keys()].filter(
        (id) => applied("probe").has(String(id)) && isKnown(id),
      );
      return new Map(probed.map((id) => [id, up.has(id)]));
    },
    ...transitions,
  };
};
