import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";

/** Keeps secrets that must be read again: encrypted under a key outside of the database. */
export interface Vault {
  /** Start of the key's fingerprint: which key a value is under, wherever that is noted beside it. */
  readonly keyId: string;
  /** @param of whose secret it is, as text: it opens with the same text only. */
  seal(secret: string, of: string): Buffer;
  /** 32 bytes that follow from the key and this text alone. */
  derive(of: string): Buffer;
  /** null: sealed under another key, for another owner, or changed since. */
  open(sealed: Buffer, of: string): string | null;
}

/** What a change of the key did with values of one kind. */
export interface Resealed {
  /** Values that are under the new key now. */
  readonly moved: number;
  /** Values that the old key did not open: they stay as they are. */
  readonly unreadable: number;
}

/** A stored secret that gets another key. */
interface SealedValue {
  readonly sealed: Buffer;
  /** Whose secret it is: the text that it was sealed with. */
  readonly of: string;
  /** Stores it, sealed with the other key. */
  store(sealed: Buffer): Promise<unknown>;
}

/** Puts secrets under another key, one after the other. */
export async function resealAll(
  values: readonly SealedValue[],
  from: Vault,
  to: Vault,
): Promise<Resealed> {
  let [moved, unreadable] = [0, 0];
  for (const { sealed, of, store } of values) {
    const secret = from.open(sealed, of);
    if (secret === null) {
      unreadable += 1;
      continue;
    }
    await store(to.seal(secret, of));
    moved += 1;
  }
  return { moved, unreadable };
}

export const vaultKeyBytes = 32;
const keyIdLength = 8;
const ivBytes = 12;
const tagBytes = 16;

/** Distinguishes keys without revealing anything of them. */
export const fingerprintOf = (key: Buffer): string =>
  createHmac("sha256", key).update("weft secret key").digest("hex").slice(0, 32);

/** AES-256-GCM: initialisation vector, tag, cipher text. @param key 32 bytes. */
export function createVault(key: Buffer): Vault {
  return {
    keyId: fingerprintOf(key).slice(0, keyIdLength),
    seal(secret, of) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(of));
      const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]);
    },
    derive: (of) => createHmac("sha256", key).update(`weft derived: ${of}`).digest(),
    open(sealed, of) {
      try {
        const iv = sealed.subarray(0, ivBytes);
        const decipher = createDecipheriv("aes-256-gcm", key, iv)
          .setAAD(Buffer.from(of))
          .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
        const text = decipher.update(sealed.subarray(ivBytes + tagBytes));
        return Buffer.concat([text, decipher.final()]).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}
