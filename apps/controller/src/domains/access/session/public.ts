import { passwordFits } from "./password.ts";

/**
 * Passwords that guides and examples use: none may guard what serves others. Few, as each costs a
 * hash; where the password itself is at hand, rules/weak-password.ts decides.
 */
const wellKnown = ["admin", "password", "12345", "123456", "12345678", "weft", "changeme"] as const;

/** Whether the password behind a hash is one of them; some 40 ms each. */
export async function isWellKnown(hash: string): Promise<boolean> {
  for (const one of wellKnown) if (await passwordFits(hash, one)) return true;
  return false;
}

export { createAuthenticator, personOf, reviveSession, toScope } from "./authenticator.ts";
export {
  addressLimit,
  type RecentRequests,
  recipientLimit,
  secondsToNextRequest,
} from "./code-rules.ts";
export { contactFields, recordContactChange, voidOwnUndo } from "./contact-change.ts";
export { resealTotp } from "./factor-store.ts";
export { openSession } from "./login.ts";
export { revokeKeysOf } from "./made-keys.ts";
export {
  type AccessMemory,
  accessCheck,
  createAccessMemory,
  laterCheck,
  readAccessVersion,
} from "./memory.ts";
export { notifyUser } from "./notices.ts";
export { confirmByPassword, verifyOwnPassword } from "./own-store.ts";
export { hashPassword, passwordFits } from "./password.ts";
export { placeOf } from "./place.ts";
export { requirePassword } from "./policy-store.ts";
export { addressDelay, secondsToWait } from "./rules.ts";
export { admitProviderTry } from "./store.ts";
export { hashToken, newToken } from "./token.ts";
export { endVisits, startVisit } from "./visit.ts";
