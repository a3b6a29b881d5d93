/** Lines of a past state among the links of today. Pure. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { LinkState } from "@weft/contract/device/v1/tunnel.ts";
import type { VlanInterface } from "@weft/contract/device/v1/underlay.ts";

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
    const isCalled = linksOf(present).some((link) => link.slot === slot && link.endpoint === null);
    return isCalled && (was.ip !== is?.ip || was.addressing !== is.addressing)
      ? [{ slot, why: "moved" }]
      : [];
  });
}

/** The lines of the past; one that today's links need and that does not fit stays as it is. */
export function linesOfBoth(past: DesiredState, present: DesiredState): Line[] {
  const unfit = new Set(unfitLines(past, present).map(({ slot }) => slot));
  const kept = present.underlay.lines.filter(({ slot }) => unfit.has(slot));
  const lines = [...past.underlay.lines.filter(({ slot }) => !unfit.has(slot)), ...kept];
  return lines.sort((a, b) => a.slot - b.slot);
}

/** Interfaces of those lines: a line that comes back is closed as every other. */
export const wanOfBoth = (past: DesiredState, present: DesiredState): string[] =>
  [...new Set(linesOfBoth(past, present).map(({ interfaceName }) => interfaceName))].sort();

/**
 * VLANs of either state: LAN sections are those of the past, and a line may be of the present. The device makes the ones that
 * something is on. Undefined: there are none.
 */
export function vlansOfBoth(
  past: DesiredState,
  present: DesiredState,
): VlanInterface[] | undefined {
  const vlans = new Map(
    [present, past]
      .flatMap(({ underlay }) => underlay.vlans ?? [])
      .map((vlan) => [vlan.interfaceName, vlan]),
  );
  if (vlans.size === 0) return undefined;
  return [...vlans.values()].sort((a, b) => (a.interfaceName < b.interfaceName ? -1 : 1));
}
