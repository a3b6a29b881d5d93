import type { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";

export type NodeState = OutputOf<typeof nodeState>;
export type StateEntry = NonNullable<NodeState["desired"]>;

export type Failure = NonNullable<NodeState["uncompiled"]>;

/** The way of one state to the device; a state passes them in this order. */
export const deliverySteps = ["waiting", "delivered", "applied", "confirmed"] as const;
export type DeliveryStep = (typeof deliverySteps)[number];

/** How far the newest wanted state is. */
export type Delivery =
  /** Another enterprise's: nothing of it is the reader's to see. */
  | { readonly at: "hidden" }
  /** Nothing was ever compiled for this node. */
  | { readonly at: "none" }
  | { readonly at: "compiling" }
  /** The settings make no configuration that a device takes, or could not be read. */
  | { readonly at: "uncompiled"; readonly failure: Failure }
  | { readonly at: DeliveryStep; readonly entry: StateEntry }
  /** Removes more than its changes account for: an operator has to send it. */
  | { readonly at: "held"; readonly entry: StateEntry }
  /** Refused, failed or rolled back: it is not sent again by itself. */
  | { readonly at: "stopped"; readonly entry: StateEntry };

const isSame = (one: StateEntry, other: StateEntry | null): boolean =>
  other !== null && one.serial === other.serial && one.epoch === other.epoch;

/** Reads the delivery out of a node's state (design section 3, deliver to confirm). */
export const deliveryOf = (state: NodeState): Delivery => {
  if (!state.configVisible) return { at: "hidden" };
  if (state.uncompiled) return { at: "uncompiled", failure: state.uncompiled };
  if (state.compiling) return { at: "compiling" };
  const entry = state.desired;
  if (!entry) return { at: "none" };
  if (isSame(entry, state.blocked)) return { at: "stopped", entry: state.blocked ?? entry };
  switch (entry.outcome) {
    case "waiting":
    case "delivered":
    case "applied":
    case "confirmed":
      return { at: entry.outcome, entry };
    case "held":
      return { at: "held", entry };
    // The newest state cannot be superseded for long: its successor is being made.
    case "superseded":
      return { at: "compiling" };
    case "refused":
    case "failed":
    case "reverted":
      return { at: "stopped", entry };
  }
};

/** True while the next request is likely to show something new. */
export const isUnderway = (delivery: Delivery): boolean =>
  delivery.at === "compiling" ||
  // It is tried again by itself.
  delivery.at === "uncompiled" ||
  delivery.at === "waiting" ||
  delivery.at === "delivered" ||
  delivery.at === "applied";
