import { z } from "zod";

/**
 * A claim as it is typed or pasted into a device: `weft1.` and base64url of its JSON. The token is the
 * secret; addresses and key hash say which controller the device calls and trusts.
 */
const body = z.strictObject({
  /** 256 random bits, base64url. */
  t: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  /** Controller addresses, for example wss://100.64.0.2:8443 . */
  a: z
    .array(z.string().regex(/^wss?:\/\/[^\s/]+$/))
    .min(1)
    .max(8),
  /** SHA-256 (hex) of the controller's raw Ed25519 public key. */
  k: z.string().regex(/^[0-9a-f]{64}$/),
});

export interface Claim {
  readonly token: string;
  readonly addresses: readonly string[];
  readonly controllerKeyHash: string;
}

export const encodeClaim = (claim: Claim): string => {
  const json = JSON.stringify({ t: claim.token, a: claim.addresses, k: claim.controllerKeyHash });
  return `weft1.${btoa(json).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
};

/** Null when the text is no claim of this version. */
export const decodeClaim = (text: string): Claim | null => {
  const [version, encoded, extra] = text.trim().split(".");
  if (version !== "weft1" || !encoded || extra !== undefined) return null;
  try {
    const parsed = body.parse(JSON.parse(atob(encoded.replaceAll("-", "+").replaceAll("_", "/"))));
    return { token: parsed.t, addresses: parsed.a, controllerKeyHash: parsed.k };
  } catch {
    return null;
  }
};
