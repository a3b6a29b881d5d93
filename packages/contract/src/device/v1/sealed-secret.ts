/**
 * Secrets in a state are sealed to the device: X25519 (RFC 7748) between a key of this secret alone and the device's tunnel
 * key, HKDF-SHA-256 (RFC 5869) with both public keys as salt, AES-256-GCM with a nonce of zeros, as each key seals one
 * secret once. Text: public key of the secret, cipher text, tag, in base64url.
 */
import { z } from "zod";

export const sealedSecret = z.string().regex(/^[A-Za-z0-9_-]{65,400}$/);

export const sealedForm = {
  info: "weft sealed secret 1",
  cipher: "aes-256-gcm",
  keyBytes: 32,
  nonceBytes: 12,
  tagBytes: 16,
} as const;

/** Wrappings of raw X25519 keys (RFC 8410): private (PKCS #8) and public (SPKI), in hexadecimal. */
export const x25519Der = {
  private: "302e020100300506032b656e04220420",
  public: "302a300506032b656e032100",
} as const;
