/** LANs of a state as far as a device can have them beside its lines, its tunnels and its controllers. Pure. */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { type LanSection, vlanCapability } from "@weft/contract/device/v1/underlay.ts";
import { addressOf, endsOf, isReserved } from "@weft/contract/rules/address.ts";
import { isOwnInterface } from "@weft/contract/rules/text.ts";
import { canonicalAddress } from "#drivers/address.ts";
import {
  isMissing,
  lack,
  type MachineFacts,
  type Reason,
  without,
} from "#drivers/machine-facts.ts";
import { lanName } from "#drivers/without-refused.ts";
import { hostOf } from "./render.ts";
import { interfaceObstacle } from "./vlans.ts";

type Line = DesiredState["underlay"]["lines"][number];

/** Interfaces that the device makes itself, and the one that is its own. */
export const ownInterface = (name: string): Reason | null =>
  isOwnInterface(name) ? { reason: "ownInterface", params: {} } : null;

const lanObstacle = (
  facts: MachineFacts,
  underlay: DesiredState["underlay"],
  { interfaceName, vlan }: LanSection,
  lines: readonly Line[],
): Reason | null => {
  const reason = ownInterface(interfaceName);
  if (reason !== null) return reason;
  // An interface has one owner, and a WAN link may be the only way to the controller.
  const line = lines.find((line) => vlan === 0 && line.interfaceName === interfaceName);
  if (line) return { reason: "lineInterface", params: { slot: `${line.slot}` } };
  if (vlan === 0) return interfaceObstacle(facts, underlay, interfaceName);
  if (isMissing(facts, interfaceName)) return { reason: "noInterface", params: {} };
  // A state that was compiled for a device without VLANs. Untagged it would be another network.
  const why = lack(facts, vlanCapability) ?? "the state names no interface for the VLAN";
  return { reason: "noVlan", params: { vlan: `${vlan}`, why } };
};

/** Why the device cannot have an address in a LAN, as far as its tunnels are concerned; null: it can. */
const addressObstacle = (
  { tunnels }: DesiredState,
  { controllers }: MachineFacts,
): ((address: string) => Reason | null) => {
  const endpoints = tunnels.flatMap(({ links }) => links.flatMap(({ endpoint }) => endpoint ?? []));
  const ends = new Set([...endpoints.map(hostOf), ...controllers].map(canonicalAddress));
  return (address) => {
    if (isReserved(address)) return { reason: "reservedAddress", params: {} };
    // The kernel takes those of the network's ends for its own as well.
    const own = [addressOf(address), ...endsOf(address)].map(canonicalAddress);
    const found = own.find((text) => ends.has(text));
    return found === undefined ? null : { reason: "endpointAddress", params: { address: found } };
  };
};

/**
 * LAN sections without those that are none here, and without the addresses that the device cannot have.
 * @param lines also those that are refused: what comes by their interfaces is not let in as from a LAN
 */
export const supportedLans = (
  state: DesiredState,
  lines: readonly Line[],
  facts: MachineFacts,
  found: Finding[],
): LanSection[] => {
  const obstacle = addressObstacle(state, facts);
  const isReported = new Set<string>();
  return state.underlay.lans.flatMap((lan) => {
    const reason = lanObstacle(facts, state.underlay, lan, lines);
    // Sections of one interface are left out for one reason.
    const key = `${lan.interfaceName} ${lan.vlan}`;
    if (reason !== null && !isReported.has(key))
      found.push({ ...lanName(lan.interfaceName), ...reason });
    isReported.add(key);
    if (reason !== null) return [];
    const addresses = without(lan.addresses, obstacle, found, lanName);
    return addresses.length === 0 ? [] : [{ ...lan, addresses }];
  });
};
