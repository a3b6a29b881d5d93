/** Which states a device may confirm, and what a confirmation writes. */
import type { confirmRequest } from "@weft/contract/device/v1/messages.ts";
import { sql, type Transaction } from "kysely";
import type { z } from "zod";
import type { Database } from "#db/schema.ts";
import { confirmState } from "#domains/delivery/lifecycle/public.ts";

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

/**
 * Writes the confirmation, and what follows from it for older states and tasks.
 * @returns seconds since the state was sent to the device; null: it was confirmed before
 * @throws NotConfirmable, with nothing written
 */
export async function keepConfirmed(
  trx: Transaction<Database>,
  request: ConfirmRequest,
): Promise<number | null> {
  const { node, epoch, serial, digest } = request;
  const state = await trx
    .selectFrom("node_state")
    .select(["digest", "outcome", "delivered_at", "template_id", "template_version"])
    .select(sql<number>`extract(epoch from clock_timestamp() - delivered_at)::float8`.as("seconds"))
    .where("node_id", "=", node)
    .where("epoch", "=", epoch)
    .where("serial", "=", serial)
    .forUpdate()
    .executeTakeFirst();
  const isNew = decideConfirm(
    state ? { ...state, isSent: state.delivered_at !== null } : null,
    digest,
  );
  if (!state || !isNew) return null;
  await confirmState(trx, node, { epoch, serial, ...state });
  await trx
    .updateTable("node_status")
    .set({ running_epoch: epoch, running_serial: serial, running_digest: digest })
    .where("node_id", "=", node)
    .execute();
  return state.seconds;
}
