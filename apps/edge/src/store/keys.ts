/**
 * Keys of a device: Ed25519 (RFC 8032) to prove who it is, X25519 (RFC 7748) for its tunnels. Both are
 * 32 random bytes, so a simulation decides them by the source of chance that it passes in.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import type { Random } from "#edge/clock.ts";
import { sha256 } from "./record.ts";

// PKCS #8 wrapping of a raw 32-byte private key (RFC 8410, section 7): version, algorithm, octets.
const pkcs8 = {
  ed25519: Buffer.from("302e020100300506032b657004220420", "hex"),
  x25519: Buffer.from("302e020100300506032b656e04220420", "hex"),
} as const;

const privateKeyOf = (kind: keyof typeof pkcs8, raw: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8[kind], raw]), format: "der", type: "pkcs8" });

/** Raw public key, base64url: the `x` of a JSON web key (RFC 8037). */
const publicOf = (key: KeyObject): string => {
  const { x } = createPublicKey(key).export({ format: "jwk" });
  if (x === undefined) throw new Error("not an Edwards or Montgomery curve key");
  return x;
};

/** Signs as this device. */
export interface Identity {
  /** Raw 32 bytes, base64url. */
  readonly publicKey: string;
  /** Base64url signature over the text. */
  sign(text: string): string;
}

/** @param seed raw private key, base64url */
export const identityOf = (seed: string): Identity => {
  const key = privateKeyOf("ed25519", Buffer.from(seed, "base64url"));
  return {
    publicKey: publicOf(key),
    sign: (text) => sign(null, Buffer.from(text), key).toString("base64url"),
  };
};

export const newSeed = (random: Random): string =>
  Buffer.from(random.bytes(32)).toString("base64url");

/** True when `signature` (base64url) over `text` was made with the key that `publicKey` belongs to. */
export const isSignedBy = (publicKey: string, text: string, signature: string): boolean => {
  try {
    const key = createPublicKey({
      key: { kty: "OKP", crv: "Ed25519", x: publicKey },
      format: "jwk",
    });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64url"));
  } catch {
    return false;
  }
};

/** SHA-256 (hex) of the raw public key: what a claim carries. */
export const keyHash = (publicKey: string): string => sha256(Buffer.from(publicKey, "base64url"));

/** A WireGuard key pair, base64 as `wg` prints it. */
export interface TunnelKeyPair {
  readonly id: string;
  readonly privateKey: string;
  readonly publicKey: string;
}

/** RFC 7748 section 5: the bits that every X25519 private key has set and cleared. */
const clamp = (raw: Uint8Array): Buffer => {
  const key = Buffer.from(raw);
  key[0] = (key[0] ?? 0) & 248;
  key[31] = ((key[31] ?? 0) & 127) | 64;
  return key;
};

export const newTunnelKey = (random: Random, id: string): TunnelKeyPair => {
  const raw = clamp(random.bytes(32));
  const publicKey = Buffer.from(publicOf(privateKeyOf("x25519", raw)), "base64url");
  return { id, privateKey: raw.toString("base64"), publicKey: publicKey.toString("base64") };
};
