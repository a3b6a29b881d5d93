/** IPv6 of WAN links as far as a device can have it, and what of it is not used. Pure. */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import { lanInterfaces } from "@weft/contract/device/v1/lan-interfaces.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { lack, type MachineFacts } from "#drivers/machine-facts.ts";
import { lanName, lineName } from "#drivers/without-refused.ts";
import { delegatedPrefixes, divide, prefixClaims } from "./delegation.ts";
import { automaticLines, ipv6Claims } from "./ipv6-lines.ts";
import type { Own } from "./render.ts";

/** The state without IPv6 that comes by itself where there is no client for it; that of IPv4 goes on. */
export const supportedIpv6 = (
  state: DesiredState,
  facts: MachineFacts,
  found: Finding[],
): DesiredState => {
  const why = lack(facts, "dhcp");
  const { lines } = state.underlay;
  const without = new Set(
    why === null ? [] : automaticLines(lines).map(({ interfaceName }) => interfaceName),
  );
  if (without.size === 0) return state;
  for (const name of without)
    found.push({ ...lineName(name), reason: "noIpv6Client", params: { why: why ?? "" } });
  return {
    ...state,
    underlay: {
      ...state.underlay,
      lines: lines.map(({ ipv6, ...line }) =>
        ipv6 === undefined || without.has(line.interfaceName) ? line : { ...line, ipv6 },
      ),
    },
  };
};

/** Addresses from providers that are not used: no line can have them, or they are in a network of somebody else. */
export const ipv6Findings = (
  { underlay: { lines, lans } }: DesiredState,
  { ipv6 = { leases: {}, refused: {} } }: MachineFacts,
  own: Own,
): Finding[] => [
  ...[...ipv6Claims(lines, ipv6.leases, own)].map(([name, params]) => ({
    ...lineName(name),
    reason: "ipv6Overlap",
    params: { ...params },
  })),
  ...prefixClaims(lines, ipv6.leases, own).map(({ interfaceName, prefix, network }) => ({
    ...lineName(interfaceName),
    reason: "ipv6Overlap",
    params: { address: prefix, network: networkOf(network) },
  })),
  ...divide(lanInterfaces(lans), delegatedPrefixes(lines, ipv6.leases, own)).without.map(
    ({ interfaceName, reason, params }) => ({
      ...lanName(interfaceName),
      reason,
      params: { ...params },
    }),
  ),
  ...automaticLines(lines).flatMap(({ interfaceName }) => {
    const [address] = ipv6.refused[interfaceName] ?? [];
    return address === undefined
      ? []
      : [{ ...lineName(interfaceName), reason: "ipv6Invalid", params: { address } }];
  }),
];
