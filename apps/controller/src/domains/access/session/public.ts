export { createAuthenticator, personOf, reviveSession, toScope } from "./authenticator.ts";
export { notifyUser } from "./notices.ts";
export { admitPassword } from "./own-password.ts";
export { hashPassword, passwordFits } from "./password.ts";
export { requirePassword } from "./policy-store.ts";
export { addressLaw, secondsToWait } from "./rules.ts";
export { hashToken, newToken } from "./token.ts";
export { endVisits, startVisit } from "./visit.ts";
export { isWellKnown } from "./well-known.ts";
