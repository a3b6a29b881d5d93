/** LANs of a state as far as a device can have them beside its lines, its tunnels and its controllers. Pure. */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
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

type Line = DesiredState["underlay"]["lines"][number];
type Lan = DesiredState["underlay"]["lans"][number];

/** Interfaces that the device makes itself, and the one that is its own. */
export const ownInterface = (name: string): Reason | null =>
  isOwnInterface(name) ? { reason: "ownInterface", params: {} } : null;

const lanObstacle = (
  facts: MachineFacts,
  { interfaceName, vlan }: Lan,
  { underlay: { lines } }: DesiredState,
): Reason | null => {
  const reason = ownInterface(interfaceName);
  if (reason !== null) return reason;
  // An interface has one owner, and a WAN link may be the only way to the controller.
  const line = lines.find((one) => vlan === 0 && one.interfaceName === interfaceName);
  if (line) return { reason: "lineInterface", params: { slot: `${line.slot}` } };
  if (isMissing(facts, interfaceName)) return { reason: "noInterface", params: {} };
  // Untagged it would be another network: addresses of a VLAN are on no interface but its own.
  const why = vlan > 0 ? (lack(facts, "vlan") ?? "this edge makes no VLAN interfaces yet") : null;
  return why === null ? null : { reason: "noVlan", params: { vlan: `${vlan}`, why } };
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

/** LANs without those that are none here, and without the addresses that the device cannot have. */
export const supportedLans = (
  state: DesiredState,
  facts: MachineFacts,
  found: Finding[],
): Lan[] => {
  const obstacle = addressObstacle(state, facts);
  return without(
    state.underlay.lans,
    (lan) => lanObstacle(facts, lan, state),
    found,
    ({ interfaceName }) => lanName(interfaceName),
  ).flatMap((lan) => {
    const addresses = without(lan.addresses, obstacle, found, lanName);
    return addresses.length === 0 ? [] : [{ ...lan, addresses }];
  });
};

/** Hosts of a LAN are let in by its own interface, never by that of a WAN link or of the device. */
export const closedToLans = (
  { underlay, firewall }: DesiredState,
  lines: readonly Line[],
): DesiredState["firewall"] => {
  const isLan = ({ interfaceName }: { readonly interfaceName: string }): boolean =>
    !isOwnInterface(interfaceName) &&
    ![...underlay.lines, ...lines].some((line) => line.interfaceName === interfaceName);
  return firewall.lan.every(isLan) ? firewall : { ...firewall, lan: firewall.lan.filter(isLan) };
};
