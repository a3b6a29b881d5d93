/** Whose flows are recorded. Pure. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";

/** Null: nothing is recorded. */
export type FlowsPart = {
  /** Networks of the site's hosts. */
  readonly networks: readonly string[];
  /** LANs whose IPv6 network comes and goes with a WAN link. */
  readonly delegated: readonly string[];
} | null;

/** Of the LANs, and of what is behind them: what the site announces. Everything else is the device's own. */
export const pickFlows = (state: DesiredState | null): FlowsPart => {
  if (state?.system?.flowRecords !== true) return null;
  const { underlay, routings } = state;
  const own = underlay.lans.flatMap(({ addresses }) => addresses.map(networkOf));
  const announced = routings
    .filter(({ netns }) => netns === null)
    .flatMap(({ announce }) => announce.map(networkOf));
  const all = new Set([...own, ...announced].filter((one) => !one.endsWith("/0")));
  const delegated = underlay.lans.flatMap(({ interfaceName, ipv6 }) => (ipv6 ? interfaceName : []));
  return { networks: [...all].sort(), delegated: delegated.sort() };
};
