/** Application groups, by ports and addresses of the end that a flow is opened to. Pure. */
import {
  type AppGroupState,
  type AppService,
  isPortService,
} from "@weft/contract/device/v1/policy.ts";
import { portsOf } from "@weft/contract/rules/ports.ts";
import { familyOf } from "#drivers/address.ts";
import { keyword } from "./address-sets.ts";
import { families, type NamedSet, namedSet } from "./sources.ts";

const setName = (id: number): string => `s_app_${id}`;
const transports = ["tcp", "udp"] as const;

/** Ranges of a set must not overlap. */
const joined = (ports: readonly string[]): string[] => {
  const ranges: [first: number, last: number][] = [];
  for (const [first, last] of ports.map(portsOf).sort(([a], [b]) => a - b)) {
    const before = ranges.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else ranges.push([first, last]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
};

export const appSets = (groups: readonly AppGroupState[]): NamedSet[] =>
  groups.map(({ id, services }) => {
    const elements = transports.flatMap((transport) => {
      const here = services.filter(
        (service) =>
          isPortService(service) && (service.protocol === transport || service.protocol === "any"),
      );
      return joined(here.flatMap(({ port }) => port ?? [])).map(
        (range) => `${transport} . ${range}`,
      );
    });
    return namedSet(setName(id), "type inet_proto . inet_service; flags interval;", elements);
  });

/** As the first packet of the flow had it, whatever became of it since. */
const originalDestination = (ip: string): string => `ct original ${ip} daddr`;
/** Of a flow that is taken for one of the other end. */
const reversed = (ip: string): string => `ct original ${ip} saddr`;
/**
 * Ends of packets that go the way of the flow, and of those that come back; by its first packet: `sent` and `answered`,
 * and where this was an answer itself: `sentBack` and `answeredBack`.
 */
const ways = {
  original: { port: "dport", source: "sport", address: (ip: string) => `${ip} daddr` },
  reply: { port: "sport", source: "dport", address: (ip: string) => `${ip} saddr` },
  sent: { port: "dport", source: "sport", address: originalDestination },
  answered: { port: "sport", source: "dport", address: originalDestination },
  sentBack: { port: "dport", source: "sport", address: reversed },
  answeredBack: { port: "sport", source: "dport", address: reversed },
} as const;
type PacketWay = keyof typeof ways;

/** A match of nft; with a family it fits packets of that one only. */
export interface AppMatch {
  readonly family: 4 | 6 | null;
  readonly text: string;
}

const matchOf = ({ protocol, port, sourcePort, target }: AppService, way: PacketWay): AppMatch => {
  const ends = ways[way];
  const hasPorts = port !== null || sourcePort !== null;
  const family = families.find(
    (family) => target && familyOf(target.split("-")[0] ?? "") === family,
  );
  const transport = protocol === "any" ? "{ tcp, udp }" : protocol;
  const text = [
    ...(hasPorts || protocol !== "any" ? [`meta l4proto ${transport}`] : []),
    ...(port === null ? [] : [`th ${ends.port} ${port}`]),
    ...(sourcePort === null ? [] : [`th ${ends.source} ${sourcePort}`]),
    ...(family ? [`${ends.address(keyword(family))} ${target}`] : []),
  ];
  return { family: family ?? null, text: text.join(" ") };
};

/** One match for each way in which packets can be of the group; without a group one for all. */
export const appMatches = (
  groups: readonly AppGroupState[],
  id: number | null | undefined,
  way: PacketWay,
): AppMatch[] => {
  if (id == null) return [{ family: null, text: "" }];
  const services = groups.find((group) => group.id === id)?.services ?? [];
  const others = services
    .filter((service) => !isPortService(service))
    .map((service) => matchOf(service, way));
  const text = `meta l4proto . th ${ways[way].port} @${setName(id)}`;
  return services.some(isPortService) ? [{ family: null, text }, ...others] : others;
};
