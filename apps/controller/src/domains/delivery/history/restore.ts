/** A past state brought back among the links of today (docs/adr/0008-history.md). Pure. */
import type { DesiredState, LinkState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";

type Line = DesiredState["underlay"]["lines"][number];

const linksOf = (state: DesiredState): LinkState[] => state.tunnels.flatMap(({ links }) => links);

/** Why a line of the past cannot carry what it carries today. */
export interface Unfit {
  readonly slot: number;
  /** `missing`: it was not there. `moved`: others call an address that it did not have. */
  readonly why: "missing" | "moved";
}

/** Lines that today's links need and that the past state had not, or had at another address. */
export function unfitLines(past: DesiredState, present: DesiredState): Unfit[] {
  const slots = [...new Set(linksOf(present).map(({ slot }) => slot))].sort((a, b) => a - b);
  return slots.flatMap((slot): Unfit[] => {
    const was = past.underlay.lines.find((line) => line.slot === slot);
    const is = present.underlay.lines.find((line) => line.slot === slot);
    if (!was) return [{ slot, why: "missing" }];
    const isCalled = linksOf(present).some((one) => one.slot === slot && one.endpoint === null);
    return isCalled && (was.ip !== is?.ip || was.addressing !== is.addressing)
      ? [{ slot, why: "moved" }]
      : [];
  });
}

/** Networks that the node brought along in a past state. */
export function announcedIn(past: DesiredState): string[] {
  if (past.routings.length > 0) {
    return [...new Set(past.routings.flatMap(({ announce }) => announce))].sort();
  }
  const carried = new Set(
    past.firewall.lan.filter(({ forward }) => forward).map((one) => one.interfaceName),
  );
  const lans = past.underlay.lans.filter(({ interfaceName }) => carried.has(interfaceName));
  return [...new Set(lans.flatMap(({ addresses }) => addresses).map(networkOf))].sort();
}

/**
 * The state that a node held at a past one gets: lines, LANs, static routes and what a LAN may do
 * are those of the past; links, neighbours and tunnel ports are those of today, because their keys
 * and addresses are agreed with the other ends. A line that today's links need stays as it is.
 */
export function restored(past: DesiredState, present: DesiredState): DesiredState {
  const unfit = new Set(unfitLines(past, present).map(({ slot }) => slot));
  const kept = present.underlay.lines.filter(({ slot }) => unfit.has(slot));
  const lines = [...past.underlay.lines.filter(({ slot }) => !unfit.has(slot)), ...kept];
  const wan = new Set(lines.map(({ interfaceName }) => interfaceName));
  return {
    ...present,
    underlay: {
      lines: lines.sort((one: Line, other: Line) => one.slot - other.slot),
      lans: past.underlay.lans,
    },
    static: past.static,
    firewall: {
      wan: [...wan].sort(),
      lan: past.firewall.lan,
      tunnelPorts: present.firewall.tunnelPorts,
    },
  };
}
