/** Rates of a device and of its WAN links, as its state has them. Pure. */

import { takesSection } from "@weft/contract/device/v1/sections.ts";
import type { CircuitState, ShapingSection } from "@weft/contract/device/v1/shaping.ts";
import type { PolicyContext } from "#domains/policies/policy-finding/public.ts";

interface RatedLine {
  readonly slot: number;
  readonly up?: number | null;
  readonly down?: number | null;
}

export interface RateView {
  readonly node: {
    readonly kind?: "cpe" | "pop";
    readonly bandwidth?: number | null;
    readonly lines: readonly RatedLine[];
  };
  readonly capabilities?: PolicyContext["capabilities"];
}

/** All lines together; null: one of them has no rate. */
function sumOf(lines: readonly RatedLine[], of: "up" | "down"): number | null {
  const rates = lines.map((line) => line[of] ?? null);
  const known = rates.filter((rate) => rate !== null);
  if (known.length === 0 || known.length < rates.length) return null;
  return known.reduce((sum, rate) => sum + rate, 0);
}

const minOf = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** kbit/s that a device has towards its WAN links and towards its LANs; null: not limited. */
export function ratesOf({ node: { bandwidth = null, lines } }: RateView): PolicyContext["rates"] {
  return { up: minOf(bandwidth, sumOf(lines, "up")), down: minOf(bandwidth, sumOf(lines, "down")) };
}

/** Null: no rate is set and no circuit ends here, or the device cannot shape. */
export function shapingSectionOf(
  view: RateView,
  circuits: readonly CircuitState[] = [],
): ShapingSection | null {
  const { node, capabilities } = view;
  const { up, down } = ratesOf(view);
  const lines = node.lines
    .flatMap(({ slot, up: rate }) => (rate == null ? [] : [{ slot, up: rate }]))
    .sort((a, b) => a.slot - b.slot);
  // What a POP sends is what it receives: it has no LANs.
  const isSite = node.kind !== "pop";
  const rates = { up, down: isSite ? down : null, lines };
  // Absent, not empty: an edge of an earlier version refuses what it does not know.
  const section = { ...rates, ...(circuits.length > 0 && { circuits: [...circuits] }) };
  const isSet = up !== null || rates.down !== null || lines.length + circuits.length > 0;
  return isSet && takesSection("shaping", capabilities) ? section : null;
}
