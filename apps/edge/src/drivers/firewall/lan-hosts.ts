/** Hosts of LAN sections, as rules match them. Pure. */
import type { LanSection } from "@weft/contract/device/v1/underlay.ts";
import type { Leaving } from "./names.ts";
import { addressMatches } from "./sources.ts";

/** What hosts of a LAN section may do. */
export type LanHosts = Pick<
  LanSection,
  "interfaceName" | "networks" | "direct" | "forward" | "central" | "translated"
>;

/** What a section's hosts send, or are sent: its interface and their addresses. */
export const hosts = ({ interfaceName, networks }: LanHosts, way: "from" | "to"): string[] =>
  addressMatches(networks ?? null, way === "from" ? "saddr" : "daddr").map(
    (addresses) => `${way === "from" ? "iifname" : "oifname"} "${interfaceName}" ${addresses}`,
  );

export const rulesFor = (
  sections: readonly LanHosts[],
  way: "from" | "to",
  verdict: string,
): string[] =>
  sections.flatMap((section) => hosts(section, way).map((match) => `${match}${verdict}`));

const leavingBy = (lan: readonly LanHosts[]): Leaving[] =>
  lan.flatMap((section) =>
    hosts(section, "from").map((match) => ({ interfaceName: section.interfaceName, match })),
  );

/** Hosts of LANs that leave for the internet by this site's own WAN links. */
export const leavingHosts = (lan: readonly LanHosts[]): Leaving[] =>
  leavingBy(lan.filter(({ direct, central }) => direct && central !== true));

/** Hosts of LANs that leave for the internet by the space. */
export const centralHosts = (lan: readonly LanHosts[]): Leaving[] =>
  leavingBy(lan.filter(({ central }) => central === true));
