export { createAuthenticator, personOf, toScope } from "./authenticator.ts";
export { hashPassword } from "./password.ts";
export { addressLaw, secondsToWait } from "./rules.ts";
export { hashToken, newToken } from "./token.ts";
export { isWellKnown, isWellKnownPassword } from "./well-known.ts";
