/** The browser has no passkey to give: refused, timed out, or none is there. */
export class PasskeyError extends Error {}
