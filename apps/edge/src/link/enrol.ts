import type { Claim } from "@weft/contract/device/v1/claim.ts";
import {
  enrolAnswer,
  enrolPath,
  enrolRequest,
  type Refusal,
  refused,
} from "@weft/contract/device/v1/messages.ts";
import { enrolledProof, enrolProof } from "@weft/contract/device/v1/proof.ts";
import { checkMemory } from "@weft/contract/kernel/rule.ts";
import { between, type Clock, type Random, sleep } from "#edge/clock.ts";
import { type Log, reasonOf } from "#edge/log.ts";
import type { Enrolment } from "#store/edge-store.ts";
import { type Identity, isSignedBy, keyHash } from "#store/keys.ts";
import type { Dial } from "./dial.ts";
import { newNonce } from "./nonce.ts";

export interface EnrolDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly dial: Dial;
  readonly log: Log;
  readonly identity: Identity;
}

export type EnrolEnd =
  | { readonly kind: "approved"; readonly enrolment: Enrolment }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly text: string }
  | { readonly kind: "stopped" };

type Attempt = EnrolEnd | { readonly kind: "again"; readonly why: string; readonly waitMs: number };

const retryMs = { min: 5_000, max: 15_000 };
const callTimeoutMs = 15_000;
/** Refusals that pass by themselves. */
const passing: ReadonlySet<Refusal> = new Set<Refusal>(["busy", "tooMany"]);

const again = (why: string, waitMs = 0): Attempt => ({ kind: "again", why, waitMs });

const readAnswer = (text: string, nonce: string, claim: Claim, serialNumber: string): Attempt => {
  const body: unknown = JSON.parse(text);
  const no = refused.safeParse(body);
  if (no.success) {
    const { reason, text: message, retryAfterMs } = no.data;
    return passing.has(reason)
      ? again(`${reason}: ${message}`, retryAfterMs ?? 0)
      : { kind: "refused", refusal: reason, text: message };
  }
  const { state, node, controllerKey, signature } = enrolAnswer.parse(body);
  if (keyHash(controllerKey) !== claim.controllerKeyHash)
    return again("the answer names another controller key than the claim");
  if (!isSignedBy(controllerKey, enrolledProof(nonce, state, node), signature))
    return again("the answer is not signed by the controller");
  if (state === "pending" || node === null) return again("waiting for approval");
  const addresses = [...claim.addresses];
  return { kind: "approved", enrolment: { node, serialNumber, addresses, controllerKey } };
};

const attempt = async (
  deps: EnrolDeps,
  address: string,
  claim: Claim,
  serialNumber: string,
): Promise<Attempt> => {
  const nonce = newNonce(deps.random);
  const checked = checkMemory(enrolRequest, {
    token: claim.token,
    serialNumber,
    publicKey: deps.identity.publicKey,
    nonce,
    signature: deps.identity.sign(enrolProof(claim.token, serialNumber, nonce)),
  });
  if (!checked.ok) {
    const text = `not a serial number of 4 to 64 characters: ${serialNumber}`;
    return { kind: "refused", refusal: "badMessage", text };
  }
  const target = { address, keyHashes: [claim.controllerKeyHash], source: null };
  try {
    const body = JSON.stringify(checked.value);
    const { text } = await deps.dial.post(target, enrolPath, body, callTimeoutMs);
    return readAnswer(text, nonce, claim, serialNumber);
  } catch (error) {
    return again(reasonOf(error));
  }
};

/**
 * Uses a claim until the device is approved, refused, or the signal ends. Trying again is harmless:
 * the claim is bound to the first key that used it, and a repeated call by that key only asks.
 */
export const enrol = async (
  deps: EnrolDeps,
  claim: Claim,
  serialNumber: string,
  signal: AbortSignal,
): Promise<EnrolEnd> => {
  for (let turn = 0; !signal.aborted; turn += 1) {
    const address = claim.addresses[turn % claim.addresses.length] as string;
    const result = await attempt(deps, address, claim, serialNumber);
    if (result.kind !== "again") return result;
    deps.log.info({ address, why: result.why }, "not enrolled yet");
    const pause = Math.max(result.waitMs, between(deps.random, retryMs.min, retryMs.max));
    await sleep(deps.clock, pause, signal);
  }
  return { kind: "stopped" };
};
