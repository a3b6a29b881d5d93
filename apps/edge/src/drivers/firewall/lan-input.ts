/** What hosts of LANs may send to the device itself, as far as routing is concerned. Pure. */

import { pathPort } from "@weft/contract/device/v1/paths.ts";
import type { SiteSection } from "@weft/contract/device/v1/site.ts";
import { set } from "./nft.ts";

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

/** Hosts are served, but they are no routing neighbours, except the routers that the site names. */
export const lanIn = (rules: LanRules): string[] => {
  const { lan, hasRefusedLan = false, routers = [], ospf = [] } = rules;
  if (lan.length === 0 && !hasRefusedLan) return [];
  // Links and WAN links are done with before: what is left are LANs.
  const fromLans = hasRefusedLan ? "" : `iifname ${set(lan.map((one) => one.interfaceName))} `;
  return [
    ...routers.map(
      ({ interfaceName, address }) =>
        `iifname "${interfaceName}" ip saddr ${address} tcp dport 179 accept`,
    ),
    ...(ospf.length > 0 ? [`iifname ${set(ospf)} meta l4proto ospf accept`] : []),
    `${fromLans}tcp dport 179 drop`,
    `${fromLans}meta l4proto ospf drop`,
    `${fromLans}udp dport ${peerPorts} drop`,
  ];
};
