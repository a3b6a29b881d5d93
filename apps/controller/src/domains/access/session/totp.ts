import { Secret, TOTP } from "otpauth";

/** RFC 6238 with the parameters of common authenticator apps: SHA-1, six digits, thirty seconds. */
const period = 30;
const typical = { algorithm: "SHA1", digits: 6, period: period } as const;
/** Clocks differ: the previous and the next code are accepted too. */
const stepWindow = 1;

/** A new secret of 160 bits, in base 32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** The URI that an authenticator app reads from a QR code. */
export const totpUri = (secret: string, issuer: string, label: string): string =>
  // The colon separates issuer and account.
  new TOTP({ ...typical, issuer: issuer.replaceAll(":", " "), label, secret }).toString();

/** The time step of a code; null: not a valid code at this time. @param now ms since 1970 */
export function totpStep(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const totp = new TOTP({ ...typical, secret });
  const delta = totp.validate({ token: code, window: stepWindow, timestamp: now });
  return delta === null ? null : Math.floor(now / 1000 / period) + delta;
}
