/** What hosts of LANs may send to the device itself, as far as routing is concerned. Pure. */

import { filterPorts } from "@weft/contract/device/v1/name-filters.ts";
import { pathPort } from "@weft/contract/device/v1/paths.ts";
import type { SiteSection } from "@weft/contract/device/v1/site.ts";
import { chain, set } from "./nft.ts";

/** Of BFD, and of the packets that measure links. */
export const peerPorts = `{ 3784, 3785, 4784, ${pathPort} }`;

interface LanRules {
  readonly lan: readonly { readonly interfaceName: string }[];
  /** The machine refuses what names another LAN; absent: no. */
  readonly hasRefusedLan?: boolean;
  readonly routers?: SiteSection["neighbors"];
  /** LANs with OSPF; absent: none. */
  readonly ospf?: readonly string[];
}

const shutNames = "c_names_shut";
const askNames = `meta l4proto { tcp, udp } th dport { 53, ${filterPorts.first}-${filterPorts.last} }`;

/**
 * Hosts of a LAN without rules get no names: no rule leads what they ask to the resolvers that deny names, and by names data
 * would pass. Addresses they get, so that they are there when its rules are.
 */
const lanNames = ({ lan, hasRefusedLan = false }: LanRules): string[] => {
  if (!hasRefusedLan) return [];
  const others =
    lan.length > 0 ? `iifname != ${set(lan.map((section) => section.interfaceName))} ` : "";
  return [`${others}${askNames} goto ${shutNames}`];
};

/** What `lanIn` leads to. */
export const lanChains = ({ hasRefusedLan = false }: LanRules): string[] =>
  hasRefusedLan ? [chain(shutNames, ["drop"])] : [];

/** Hosts are served, but they are no routing neighbours, except the routers that the site names. */
export const lanIn = (rules: LanRules): string[] => {
  const { lan, hasRefusedLan = false, routers = [], ospf = [] } = rules;
  if (lan.length === 0 && !hasRefusedLan) return [];
  // Links and WAN links are done with before: what is left are LANs.
  const fromLans = hasRefusedLan
    ? ""
    : `iifname ${set(lan.map((section) => section.interfaceName))} `;
  return [
    ...routers.map(
      ({ interfaceName, address }) =>
        `iifname "${interfaceName}" ip saddr ${address} tcp dport 179 accept`,
    ),
    ...(ospf.length > 0 ? [`iifname ${set(ospf)} meta l4proto ospf accept`] : []),
    `${fromLans}tcp dport 179 drop`,
    `${fromLans}meta l4proto ospf drop`,
    `${fromLans}udp dport ${peerPorts} drop`,
    ...lanNames(rules),
  ];
};
