/** What DNS controls do with packets of the LANs, as far as a state says it. Pure. */
import { activeTimes } from "#contract/device/v1/active-times.ts";
import type { DesiredState } from "#contract/device/v1/state.ts";
import { addressOf } from "#rules/address.ts";
import type { TracedPacket } from "./packet.ts";

/** Own address by which the device answers what a host asks a server outside; null: it does not. */
export const resolverOf = (
  { dns, underlay }: DesiredState,
  { interfaceName, destination, protocol, targetPort }: TracedPacket,
): string | null => {
  if (dns?.controls === undefined || protocol === "icmp" || targetPort !== 53) return null;
  const isV6 = destination.includes(":");
  const own = underlay.lans
    .filter((lan) => lan.vlan === 0 && lan.interfaceName === interfaceName)
    .flatMap(({ addresses }) => addresses)
    .find((text) => text.includes(":") === isV6);
  return own === undefined ? null : addressOf(own);
};

/** Controls that lead connections to answers now, with their WAN links. */
export const leadingControls = (
  { dns, underlay }: DesiredState,
  now: number,
): { readonly id: number; readonly interfaceName: string }[] => {
  const { controls = [], timeZone = "UTC" } = dns ?? {};
  const days = controls.map(({ id, weekdays }) => ({ id, weekdays, start: "00:00", end: "24:00" }));
  const active = new Set(activeTimes(days, now, timeZone));
  return controls.flatMap(({ id, slot, routes }) => {
    const line = underlay.lines.find((one) => one.slot === slot);
    return routes && line && active.has(id) ? [{ id, interfaceName: line.interfaceName }] : [];
  });
};
