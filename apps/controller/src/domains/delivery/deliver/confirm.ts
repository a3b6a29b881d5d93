/** Which states a device may confirm. */
import type { confirmRequest } from "@weft/contract/device/v1/messages.ts";
import type { z } from "zod";

export type ConfirmRequest = z.output<typeof confirmRequest>;

/** A device asks to confirm what it was not sent, or what has ended otherwise. */
export class NotConfirmable extends Error {
  constructor(text: string) {
    super(text);
    this.name = "NotConfirmable";
  }
}

/**
 * Whether a confirmation of this state is new; false: it was confirmed before. Pure.
 * @throws NotConfirmable
 */
export function decideConfirm(
  state: { readonly digest: string; readonly outcome: string; readonly isSent: boolean } | null,
  digest: string,
): boolean {
  if (!state?.isSent) throw new NotConfirmable("no such state was sent");
  if (state.digest !== digest) throw new NotConfirmable("the state has another digest");
  if (state.outcome === "confirmed") return false;
  // A newer state may have replaced it while the device was busy with it: it runs nevertheless.
  if (!["delivered", "applied", "superseded"].includes(state.outcome)) {
    throw new NotConfirmable(`the state is ${state.outcome}`);
  }
  return true;
}
