export { createAuthenticator } from "./authenticator.ts";
export { hashPassword } from "./password.ts";
export { isWellKnown, isWellKnownPassword } from "./well-known.ts";
