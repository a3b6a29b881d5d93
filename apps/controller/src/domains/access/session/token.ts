import { createHash, randomBytes } from "node:crypto";

/** Design section 4: opaque, 256 bits, kept only as SHA-256. */
export const newToken = (): string => randomBytes(32).toString("base64url");

export const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();

/** Shape of every token that we ever gave out; others need no query. */
export const isTokenShaped = (token: string): boolean => /^[\w-]{43}$/.test(token);

/** Life of sessions, in PostgreSQL's interval notation. */
export const lifetimes = {
  /** A session unused for so long ends. (Where the browser keeps the token is its own matter.) */
  idle: "24 hours",
  /** Maximum time that a session lasts on one password, however busy it is. */
  longest: "30 days",
  /** A call after this time gets a new token in its answer. */
  rotateAfter: "10 minutes",
  /**
   * Once the new token was used, the old one serves parallel calls and other tabs so long. Until then it
   * gets another new one after this time.
   */
  grace: "60 seconds",
  /** Having authenticated at an identity provider proves the person so long, as the password does otherwise. */
  proves: "10 minutes",
  /** A link for templates ends permanently after this time, however it is used. */
  visit: "10 minutes",
} as const;
