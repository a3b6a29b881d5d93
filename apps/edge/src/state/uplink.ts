import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import type { StateId } from "@weft/contract/device/v1/state.ts";
import type { Echo } from "#link/confirm.ts";

/** The way to the controller, as far as the state machine needs it. */
export interface Uplink {
  /** False when there is no proven connection. */
  send(message: MessageFromEdge<"need" | "outcome">): boolean;
  /** Tries until the deadline (monotonic, ms). Light plans may use the open connection. */
  confirm(state: StateId, digest: string, light: boolean, deadline: number): Promise<Echo>;
  /** An outcome was kept for later, or what runs is another state: someone should be reported. */
  changed(): void;
  /** The machine returned to what ran before: ways that a state had cut may lead again. */
  restored(): void;
}
