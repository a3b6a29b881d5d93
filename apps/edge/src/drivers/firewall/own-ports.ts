/** What of a line's ports is the device's own, as matches of nft. Pure. */
import { portRanges } from "./nft.ts";
import { addressMatches } from "./sources.ts";

export interface OwnPorts {
  /** Networks that may reach SSH of the device by its lines; absent: none. */
  readonly manageFrom?: readonly string[];
  /** UDP ports of tunnels that end here. */
  readonly tunnelPorts: readonly number[];
}

/** The owner's way in, which no document can take: it is a setting of the device itself. */
export const management = ({ manageFrom = [] }: OwnPorts): string[] =>
  manageFrom.length === 0
    ? []
    : addressMatches(manageFrom, "saddr").map((from) => `${from}tcp dport 22`);

/** What of the lines stays the device's own, whatever a port mapping says. */
export const reserved = (rules: OwnPorts): string[] => [
  ...management(rules),
  ...(rules.tunnelPorts.length > 0 ? [`udp dport { ${portRanges(rules.tunnelPorts)} }`] : []),
  "udp sport 67 udp dport 68",
];
