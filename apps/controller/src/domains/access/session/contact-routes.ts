import { undoContact } from "@weft/contract/domains/access/login.ts";
import { userConfirm, userConfirmBegin } from "@weft/contract/domains/access/user.ts";
import type { FastifyInstance } from "fastify";
import { mountInSteps, mountOpen } from "#kernel/mount.ts";
import { undoContactChange } from "./contact-change.ts";
import { confirmContact, ownContact, sendConfirmation } from "./contact-confirm.ts";

const unscopedReason = "the caller's own account only";
const personOnly = "a key has no phone number and no address";

/** Proof that a user is reached at an address, and the way back from a changed one. */
export function contactRoutes(app: FastifyInstance): void {
  const api = app.weft;
  mountInSteps(
    app,
    userConfirmBegin,
    ({ way }, ctx) => ownContact(ctx, way),
    // After the transaction: what counts requests must stay when the call is refused.
    (contact, caller) => sendConfirmation(api, contact, caller),
    { unscopedReason, personOnly, unaudited: "nothing counts before it is confirmed" },
  );
  mountInSteps(
    app,
    userConfirm,
    async (input) => input,
    (input, caller) => confirmContact(api, input, caller),
    { unscopedReason, personOnly, unaudited: "written with the confirmation, after the code fits" },
  );
  mountOpen(app, undoContact, (input, facts) => undoContactChange(api, input, facts));
}
