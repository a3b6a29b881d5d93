import { createHash } from "node:crypto";
import {
  type enrolAnswer,
  enrolRequest,
  type Refusal,
  refusals,
} from "@weft/contract/device/v1/messages.ts";
import { enrolledProof, enrolProof } from "@weft/contract/device/v1/proof.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import { sql } from "kysely";
import type { z } from "zod";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { type ControllerIdentity, isSignedBy } from "./identity.ts";
import type { TryLimit } from "./limits.ts";
import { Refused } from "./refusal.ts";

export type EnrolAnswer = z.output<typeof enrolAnswer>;

interface EnrolDeps {
  readonly pools: Pools<Database>;
  readonly identity: Pick<ControllerIdentity, "publicKey" | "sign">;
  readonly tries: TryLimit;
}

/** Refusals that a guessing caller would see. */
const wrongTries: ReadonlySet<Refusal> = new Set<Refusal>([
  "claimUnknown",
  "claimOtherSerial",
  "claimUsed",
  "badSignature",
]);

const text: Partial<Record<Refusal, string>> = {
  claimUnknown: "unknown activation code",
  claimExpired: "the activation code has expired or was replaced by a newer one",
  claimUsed: "another device has used this activation code",
  claimOtherSerial: "the activation code is for another serial number",
  rejected: "this device was rejected",
  notYours: "this device, or its serial number, belongs to another node",
  quarantined: "two devices use this key: enrol with a new one",
};

const isRefusal = (verdict: string): verdict is Refusal =>
  (refusals as readonly string[]).includes(verdict);

/** What a claim's token is kept as. */
const tokenHash = (token: string): Buffer => createHash("sha256").update(token).digest();

/**
 * Uses a claim, or reads its status again.
 * @param address of the device's end of the connection
 * @throws Refused
 */
export async function enrol(
  deps: EnrolDeps,
  body: unknown,
  from: { readonly address: string; readonly requestId: string },
): Promise<EnrolAnswer> {
  const { tries } = deps;
  const waitMs = tries.waitMs(from.address);
  if (waitMs > 0) throw new Refused("tooMany", "too many wrong activation codes", waitMs);
  try {
    return await useClaim(deps, body, from);
  } catch (error) {
    if (error instanceof Refused && wrongTries.has(error.reason)) tries.failed(from.address);
    throw error;
  }
}

async function useClaim(
  { pools, identity }: EnrolDeps,
  body: unknown,
  from: { readonly address: string; readonly requestId: string },
): Promise<EnrolAnswer> {
  const checked = checkWire(enrolRequest, body);
  if (!checked.ok) throw new Refused("badMessage", "not an enrolment request");
  const { token, serialNumber, publicKey, nonce, signature } = checked.value;
  if (!isSignedBy(publicKey, enrolProof(token, serialNumber, nonce), signature)) {
    throw new Refused("badSignature", "the signature was not made with that key");
  }
  const { rows } = await sql<{ verdict: string; node: number | null }>`
    select verdict, node from weft.use_claim(${tokenHash(token)}, ${serialNumber}, ${publicKey},
      ${from.address}, ${from.requestId})`.execute(pools.gateway.db);
  const { verdict = "claimUnknown", node = null } = rows[0] ?? {};
  if (verdict !== "pending" && verdict !== "approved") {
    const reason = isRefusal(verdict) ? verdict : "rejected";
    throw new Refused(reason, text[reason] ?? reason);
  }
  const proof = enrolledProof(nonce, verdict, node);
  return {
    state: verdict,
    node,
    controllerKey: identity.publicKey,
    signature: identity.sign(proof),
  };
}
