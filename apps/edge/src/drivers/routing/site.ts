/**
 * BGP with routers in the LANs of a site: neighbours of the space's own instance, each under the AS number that it expects
 * (docs/adr/0021-site-routing.md). Pure.
 */

import type { RoutingSection } from "@weft/contract/device/v1/routing.ts";
import type { SiteNeighbor, SiteSection } from "@weft/contract/device/v1/site.ts";
import { canonicalAddress } from "#drivers/address.ts";
import type { ObjectName } from "#drivers/refusals.ts";
import { announceName, routerName } from "#drivers/without-refused.ts";
import {
  bgpHeader,
  type ConfigLine,
  linesOf,
  prefixLists,
  top,
  under,
  wholeList,
} from "./lines.ts";

/** A router in a LAN of a site. */
export interface SiteRouter extends Omit<SiteNeighbor, "password"> {
  /** In clear; null: none. */
  readonly password: string | null;
}

/** Routers in LANs of a site, and what they share. */
export interface SiteRouters extends Omit<SiteSection, "neighbors"> {
  readonly neighbors: readonly SiteRouter[];
  /** Addresses of those whose password does not open: they are left out. */
  readonly unopened: readonly string[];
  /** The space whose routes they share. */
  readonly spaceId: number;
  /** All that they may bring, exactly these. */
  readonly accept: readonly string[];
  /** Networks of the device's own LANs. */
  readonly lans: readonly string[];
}

export const siteList = "site-in";
const filter = siteList;
export const outMap = "site-out";
/** Seconds between attempts to reach one that is away; FRR's own would be two minutes. */
const connectSeconds = 5;
/**
 * Above what the device announces by itself (32768): for a network of the space it always has a route, that to nowhere.
 */
const weight = 40_000;
/** FRR's own hold time, which it does not show. */
const defaultHold = 180;

/**
 * In: what the site may bring, and nothing else. Out: all that the space has, but neither a default route, which would
 * draw what the space has no way for, nor what routers of the site brought themselves.
 */
export const siteFilters = (site: SiteRouters | null): ConfigLine[] => {
  if (site === null) return [];
  const { accept } = site;
  const stanza = (header: string, ...content: string[]): ConfigLine[] => [
    top(header),
    ...content.map(under(header)),
  ];
  const isOurs = `match ip address prefix-list ${filter}`;
  const [taken, kept] =
    accept.length === 0
      ? [[], []]
      : [
          stanza(`route-map ${filter} permit 10`, isOurs, `set weight ${weight}`),
          stanza(`route-map ${outMap} deny 10`, isOurs),
        ];
  return linesOf(routersOf(site), [
    ...prefixLists(filter, accept, (prefix) => announceName(site.spaceId, prefix)),
    ...taken,
    top(`route-map ${filter} deny 65535`),
    ...stanza(`route-map ${outMap} deny 5`, `match ip address prefix-list ${wholeList}`),
    ...kept,
    top(`route-map ${outMap} permit 20`),
  ]);
};

/** None of them exchanges routes without the filters. */
const routersOf = ({ neighbors, interfaces }: SiteRouters): ObjectName[] => [
  ...neighbors.map(({ address }) => routerName(address)),
  ...interfaces.map(({ interfaceName }) => routerName(interfaceName)),
];

const peerOf = ({ address }: SiteRouter): string => `neighbor ${canonicalAddress(address)}`;

const session = (siteRouter: SiteRouter, spaceAsn: number): string[] => {
  const { asn, neighborAsn, holdTime, password } = siteRouter;
  const peer = peerOf(siteRouter);
  return [
    `${peer} remote-as ${neighborAsn}`,
    ...(asn === spaceAsn ? [] : [`${peer} local-as ${asn} no-prepend replace-as`]),
    ...(password === null ? [] : [`${peer} password ${password}`]),
    ...(holdTime === null || holdTime === defaultHold
      ? []
      : [`${peer} timers ${Math.floor(holdTime / 3)} ${holdTime}`]),
    `${peer} timers connect ${connectSeconds}`,
  ];
};

const isDefault = (network: string): boolean => network.endsWith("/0");

const exchange = (siteRouter: SiteRouter): string[] => {
  const peer = peerOf(siteRouter);
  return [
    `${peer} activate`,
    // Sites of one enterprise often have one AS number: they would refuse each other's routes.
    `${peer} as-override`,
    ...(siteRouter.networks.some(isDefault) ? [`${peer} default-originate`] : []),
    `${peer} route-map ${filter} in`,
    `${peer} route-map ${outMap} out`,
  ];
};

/** Lines within the space's instance. */
export const siteLines = (section: RoutingSection, site: SiteRouters | null): ConfigLine[] => {
  if (site === null || site.neighbors.length === 0 || section.spaceId !== site.spaceId) return [];
  const { neighbors } = site;
  const header = bgpHeader(section);
  const announced = new Set(section.announce);
  const networks = new Set(neighbors.flatMap((neighbor) => neighbor.networks));
  const line = under(header, "address-family ipv4 unicast");
  const sentTo = (network: string): ObjectName[] =>
    neighbors
      .filter((neighbor) => neighbor.networks.includes(network))
      .map(({ address }) => routerName(address));
  return linesOf(routersOf(site), [
    ...neighbors.flatMap((neighbor) =>
      linesOf(routerName(neighbor.address), session(neighbor, section.asn).map(under(header))),
    ),
    ...[...networks]
      .filter((network) => !isDefault(network) && !announced.has(network))
      .flatMap((network) => linesOf(sentTo(network), [line(`network ${network}`)])),
    // What a router of the site brings is behind this device, for all others.
    ...section.neighbors.map(({ address4 }) =>
      line(`neighbor ${canonicalAddress(address4)} next-hop-self`),
    ),
    ...neighbors.flatMap((neighbor) =>
      linesOf(routerName(neighbor.address), exchange(neighbor).map(line)),
    ),
  ]);
};
