export { createAuthenticator } from "./authenticator.ts";
export { hashPassword } from "./password.ts";
