import type { Refusal } from "@weft/contract/device/v1/messages.ts";

/** A device is rejected. The text is for the log of the device. */
export class Refused extends Error {
  readonly reason: Refusal;
  readonly retryAfterMs: number | undefined;

  constructor(reason: Refusal, text: string, retryAfterMs?: number) {
    super(text);
    this.name = "Refused";
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Two devices use one key (clones.ts). */
export const quarantined = (): Refused =>
  new Refused(
    "quarantined",
    "two devices use this key: enrol this one again with a new activation code",
  );

/** The node of the device was removed: the machine is its owner's again. */
export const removedNode = (): Refused =>
  new Refused("removed", "the node was removed: this device restores its machine");

/** The message for the device. */
export const refusedMessage = ({ reason, message, retryAfterMs }: Refused) => ({
  type: "refused" as const,
  reason,
  text: message.slice(0, 256),
  ...(retryAfterMs !== undefined && { retryAfterMs: Math.ceil(retryAfterMs) }),
});
