import type { MessageAddition } from "@weft/contract/device/v1/additions.ts";
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import type { StateId } from "@weft/contract/device/v1/state.ts";
import type { Confirmation } from "#link/confirm.ts";

/** The way to the controller, as far as the state machine needs it. */
export interface Uplink {
  /** False when there is no proven connection. */
  send(message: MessageFromEdge<"need" | "outcome">): boolean;
  /** Whether this controller reads a field that an earlier one refuses; false until it says so. */
  accepts(addition: MessageAddition): boolean;
  /** Whether a part of a message has come. */
  isReceiving(): boolean;
  /** Tries until the deadline (monotonic, ms). Light plans may use the open connection. */
  confirm(state: StateId, digest: string, light: boolean, deadline: number): Promise<Confirmation>;
  /** An outcome was kept for later, or another state runs: the controller should be notified. */
  changed(): void;
  /** The machine was rolled back: paths that a state had cut may work again. */
  restored(): void;
}
