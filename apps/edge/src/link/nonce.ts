import type { Random } from "#edge/clock.ts";

/** 192 random bits, base64url: 32 characters (the contract takes 22 to 64). */
export const newNonce = (random: Random): string =>
  Buffer.from(random.bytes(24)).toString("base64url");
