import { type confirmAnswer, confirmRequest } from "@weft/contract/device/v1/messages.ts";
import { confirmedProof, confirmProof } from "@weft/contract/device/v1/proof.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import type { Transaction } from "kysely";
import type { z } from "zod";
import type { Database } from "#db/schema.ts";
import { confirmState } from "#domains/delivery/lifecycle/public.ts";
import { type ControllerIdentity, isSignedBy } from "./identity.ts";
import { Refused } from "./refusal.ts";
import type { ConfirmRequest, GatewayStore } from "./store.ts";

export type ConfirmAnswer = z.output<typeof confirmAnswer>;

interface ConfirmDeps {
  readonly store: GatewayStore;
  readonly identity: Pick<ControllerIdentity, "sign">;
}

/** As confirm, from text of an unknown sender. */
export function confirmFrom(deps: ConfirmDeps, body: unknown): Promise<ConfirmAnswer> {
  const checked = checkWire(confirmRequest, body);
  if (!checked.ok) throw new Refused("badMessage", "not a confirmation");
  return confirm(deps, checked.value);
}

/**
 * Confirms the state that a box runs: checks who asks and that it is the state which was delivered,
 * commits, and only then signs. The same question gets the same answer.
 * @throws Refused, with nothing written
 */
export async function confirm(
  { store, identity }: ConfirmDeps,
  request: ConfirmRequest,
): Promise<ConfirmAnswer> {
  const { node, epoch, serial, digest, nonce, signature } = request;
  const key = await store.confirmKey(node);
  if (key === null) throw new Refused("unknownNode", "no approved box of that node");
  if (!isSignedBy(key, confirmProof(node, { epoch, serial }, digest, nonce), signature)) {
    throw new Refused("badSignature", "not signed by the box of that node");
  }
  await store.keepConfirmed(request);
  const proof = confirmedProof(node, { epoch, serial }, nonce);
  return { epoch, serial, nonce, signature: identity.sign(proof) };
}

/**
 * Whether a confirmation of this state is new; false: it was confirmed before. Pure.
 * @throws Refused when the state cannot be confirmed
 */
export function judgeConfirm(
  state: { readonly digest: string; readonly outcome: string; readonly isSent: boolean } | null,
  digest: string,
): boolean {
  if (!state?.isSent) throw new Refused("notYours", "no such state was sent");
  if (state.digest !== digest) throw new Refused("notYours", "the state has another digest");
  if (state.outcome === "confirmed") return false;
  // A newer state may have replaced it while the box was busy with it: it runs nevertheless.
  if (!["delivered", "applied", "superseded"].includes(state.outcome)) {
    throw new Refused("notYours", `the state is ${state.outcome}`);
  }
  return true;
}

/** Writes the confirmation, and what follows from it for older states and tasks. */
export async function keepConfirmed(
  trx: Transaction<Database>,
  request: ConfirmRequest,
): Promise<void> {
  const { node, epoch, serial, digest } = request;
  const state = await trx
    .selectFrom("node_state")
    .select(["digest", "outcome", "delivered_at", "template_id", "template_version"])
    .where("node_id", "=", node)
    .where("epoch", "=", epoch)
    .where("serial", "=", serial)
    .forUpdate()
    .executeTakeFirst();
  const isNew = judgeConfirm(
    state ? { ...state, isSent: state.delivered_at !== null } : null,
    digest,
  );
  if (!state || !isNew) return;
  await confirmState(trx, node, { epoch, serial, ...state });
  await trx
    .updateTable("node_status")
    .set({ running_epoch: epoch, running_serial: serial, running_digest: digest })
    .where("node_id", "=", node)
    .execute();
}
