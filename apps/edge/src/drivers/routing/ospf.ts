/** OSPF with the routers of a site's LANs (docs/adr/0021-site-routing.md). Pure. */
import type { SiteInterface, SiteOrigin } from "@weft/contract/device/v1/site.ts";
import { routerName } from "#drivers/without-refused.ts";
import { type ConfigLine, linesOf, prefixLists, top, under } from "./lines.ts";
import { outMap, type SiteRouters, siteList } from "./site.ts";

const learned = "site-learned";
const lanMap = "site-lans";
/** FRR's own times, which it does not show. */
const ownTimes = { hello: 10, dead: 40 };

const stanza = (header: string, ...content: string[]): ConfigLine[] => [
  top(header),
  ...content.map(under(header)),
];

/** A map of exactly a list's networks; an empty list must not permit. */
const only = (name: string, list: string, isEmpty: boolean): ConfigLine[] => [
  ...(isEmpty ? [] : stanza(`route-map ${name} permit 10`, `match ip address prefix-list ${list}`)),
  top(`route-map ${name} deny 65535`),
];

const origins: Readonly<Record<SiteOrigin, string>> = {
  // Not the WAN links and tunnels of the device.
  connected: `redistribute connected route-map ${lanMap}`,
  static: `redistribute static route-map ${outMap}`,
  bgp: `redistribute bgp route-map ${outMap}`,
  default: "default-information originate always",
};

const onInterface = ({ interfaceName, area, cost, hello, dead }: SiteInterface): ConfigLine[] =>
  [
    ...(cost === null ? [] : [`ip ospf cost ${cost}`]),
    ...(dead === null || dead === ownTimes.dead ? [] : [`ip ospf dead-interval ${dead}`]),
    ...(hello === null || hello === ownTimes.hello ? [] : [`ip ospf hello-interval ${hello}`]),
    // Last: from then on it waits, as long as its dead interval is at that moment, before it selects a router.
    `ip ospf area ${area}`,
  ].map(under(`interface ${interfaceName}`));

/** Filters come first: what OSPF brings before they are there would be used. */
export const ospfLines = (site: SiteRouters | null, routerId: string): ConfigLine[] => {
  if (site === null || site.interfaces.length === 0) return [];
  const { interfaces, sent, accept } = site;
  const lans = site.lans.filter((lan) => !lan.includes(":"));
  const all = interfaces.map(({ interfaceName }) => routerName(interfaceName));
  return linesOf(all, [
    ...only(learned, siteList, accept.length === 0),
    top(`ip protocol ospf route-map ${learned}`),
    ...prefixLists(lanMap, lans),
    ...only(lanMap, lanMap, lans.length === 0),
    ...stanza(
      "router ospf",
      `ospf router-id ${routerId}`,
      ...sent.map((origin) => origins[origin]),
    ),
    ...interfaces.flatMap((port) => linesOf(routerName(port.interfaceName), onInterface(port))),
  ]);
};
