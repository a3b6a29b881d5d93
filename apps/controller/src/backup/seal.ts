import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from "node:crypto";
import { promisify } from "node:util";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";

/** A secret under a passphrase: AES-256-GCM, all base64url. */
export interface Sealed {
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
}

/** Made from a passphrase and the archive's salt. */
export interface SealKeys {
  readonly cipher: Buffer;
  readonly mac: Buffer;
}

export const newSalt = (): string => randomBytes(16).toString("base64url");

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** Slow by intent (some 0.1 s): a stolen archive can be attacked offline without limit. */
export async function sealKeys(passphrase: string, salt: string): Promise<SealKeys> {
  const options = { N: 32_768, r: 8, p: 1, maxmem: 67_108_864 };
  const bytes = await derive(passphrase, Buffer.from(salt, "base64url"), 64, options);
  return { cipher: bytes.subarray(0, 32), mac: bytes.subarray(32) };
}

export function seal({ cipher: key }: SealKeys, text: string): Sealed {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const data = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  const tag = cipher.getAuthTag().toString("base64url");
  return { iv: iv.toString("base64url"), tag, data: data.toString("base64url") };
}

/** @throws Error when the key is another, or the secret was changed */
export function unseal({ cipher: key }: SealKeys, { iv, tag, data }: Sealed): string {
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64url"));
  decipher.setAuthTag(Buffer.from(tag, "base64url"));
  const bytes = [decipher.update(Buffer.from(data, "base64url")), decipher.final()];
  return Buffer.concat(bytes).toString();
}

/** HMAC-SHA-256 (hex) over the canonical text of a value. */
export const macOf = ({ mac }: SealKeys, value: unknown): string =>
  createHmac("sha256", mac).update(canonicalJson(value)).digest("hex");

export const isSame = (text: string, other: string): boolean =>
  text.length === other.length && timingSafeEqual(Buffer.from(text), Buffer.from(other));
