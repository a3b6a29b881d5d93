import { type confirmAnswer, confirmRequest } from "@weft/contract/device/v1/messages.ts";
import { confirmedProof, confirmProof } from "@weft/contract/device/v1/proof.ts";
import { stateIdOf } from "@weft/contract/device/v1/state.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import type { z } from "zod";
import { type ConfirmRequest, NotConfirmable } from "#domains/delivery/deliver/public.ts";
import { type ControllerIdentity, isSignedBy } from "./identity.ts";
import { Refused } from "./refusal.ts";
import type { GatewayStore } from "./store.ts";

export type ConfirmAnswer = z.output<typeof confirmAnswer>;

interface ConfirmDeps {
  readonly store: GatewayStore;
  readonly identity: Pick<ControllerIdentity, "sign">;
}

/** True when the device with this key asks. */
export const isFromDevice = (key: string, request: ConfirmRequest): boolean => {
  const { node, digest, nonce, signature } = request;
  return isSignedBy(key, confirmProof(node, request, digest, nonce), signature);
};

/** As confirm, from text of an unknown sender. */
export function confirmFrom(deps: ConfirmDeps, body: unknown): Promise<ConfirmAnswer> {
  const checked = checkWire(confirmRequest, body);
  if (!checked.ok) throw new Refused("badMessage", "not a confirmation");
  return confirm(deps, checked.value);
}

/**
 * Confirms the state that a device runs: checks who asks and that it is the state which was delivered,
 * commits, and only then signs. The same question gets the same answer.
 * @throws Refused, with nothing written
 */
export async function confirm(
  { store, identity }: ConfirmDeps,
  request: ConfirmRequest,
): Promise<ConfirmAnswer> {
  const { node, nonce } = request;
  const key = await store.confirmKey(node);
  if (key === null) throw new Refused("unknownNode", "the node has no approved device");
  if (!isFromDevice(key, request)) {
    throw new Refused("badSignature", "the signature is not that of the node's device");
  }
  await store.keepConfirmed(request).catch((error: unknown) => {
    throw error instanceof NotConfirmable ? new Refused("notYours", error.message) : error;
  });
  const proof = confirmedProof(node, request, nonce);
  return { ...stateIdOf(request), nonce, signature: identity.sign(proof) };
}
