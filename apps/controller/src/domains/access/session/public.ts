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
export { isWellKnown } from "./well-known.ts";
