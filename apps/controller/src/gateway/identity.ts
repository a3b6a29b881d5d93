import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql, type Transaction } from "kysely";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { placeSecret, replaceSecret } from "#kernel/key-file.ts";
import type { Resealed, Vault } from "#kernel/vault.ts";
import { selfSigned } from "./certificate.ts";

/** Who the controller is to its fleet. */
export interface ControllerIdentity {
  /** Raw Ed25519 public key, base64url. */
  readonly publicKey: string;
  /** Base64url signature over a proof of the device protocol. */
  sign(text: string): string;
  /** Key and certificate for TLS, both PEM. */
  tls(): { readonly key: string; readonly cert: string };
}

/** What devices know the controller by: the present key, and the one that the controller will change to. */
export interface FleetIdentity extends Pick<ControllerIdentity, "publicKey" | "sign"> {
  readonly next?: Pick<ControllerIdentity, "publicKey" | "sign"> | null;
}

const dayMs = 86_400_000;
const certificateDays = 3_652;

const rawKey = (key: KeyObject): string => {
  const { x } = key.export({ format: "jwk" });
  if (x === undefined) throw new Error("not an Ed25519 key");
  return x;
};

/** True when the signature (base64url) over the text was made with the key (raw, base64url). */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({
      key: { kty: "OKP", crv: "Ed25519", x: publicKey },
      format: "jwk",
    });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64url"));
  } catch {
    // Not a point of the curve.
    return false;
  }
}

/** SHA-256 (hex) of a raw public key: what a claim carries, and what people compare. */
export const keyHash = (publicKey: string): string =>
  createHash("sha256").update(Buffer.from(publicKey, "base64url")).digest("hex");

/** Of whom the keys in the database are, for the vault. */
const sealedOf = { present: "the controller's identity", next: "the controller's next identity" };

export const identityFile = (dataDir: string): string => join(dataDir, "identity.pem");

/**
 * The controller's key: from `<dataDir>/identity.pem`, else from the database, where it lies under
 * the key for secrets, else made. A file with an earlier key of this controller is brought up to date. All gateways on one database are one controller; one with another
 * key would be a stranger to the fleet and is refused.
 * @throws Error with a message for the operator.
 */
export async function openIdentity(
  dataDir: string,
  pools: Pools<Database>,
  vault: Vault,
): Promise<ControllerIdentity> {
  const file = identityFile(dataDir);
  const found = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return null;
  });
  const pem = await pools.owner.db.transaction().execute(async (trx) => {
    const shared = await sharedIdentity(trx);
    const kept = shared.sealed && vault.open(shared.sealed, sealedOf.present);
    const isBehind = found !== null && shared.retired.includes(toIdentity(found).publicKey);
    if ((found === null || isBehind) && kept !== null) return kept;
    refuseStranger(shared, found === null ? null : toIdentity(found).publicKey, file);
    const text = found ?? newIdentity();
    if (kept === null) {
      await sql`update installation set controller_key = ${toIdentity(text).publicKey},
        sealed_identity = ${vault.seal(text, sealedOf.present)}`.execute(trx);
    }
    return text;
  });
  if (found === null) await placeSecret(file, pem);
  else if (found !== pem) await replaceSecret(file, pem);
  return toIdentity(pem);
}

/** A key pair that the controller will change to, as the database holds it. */
export function makeNextIdentity(vault: Vault): { publicKey: string; sealed: Buffer } {
  const pem = newIdentity();
  return { publicKey: toIdentity(pem).publicKey, sealed: vault.seal(pem, sealedOf.next) };
}

/** A next key that becomes the present one. @returns null: it cannot be read with this key for secrets */
export function promoteSealed(sealed: Buffer, vault: Vault): Buffer | null {
  const pem = vault.open(sealed, sealedOf.next);
  return pem === null ? null : vault.seal(pem, sealedOf.present);
}

/** The keys in the database. */
interface SealedKeys {
  readonly sealed: Buffer | null;
  readonly next: Buffer | null;
}

/** Opens what the database holds. @returns null where there is nothing, or nothing that the vault opens */
export const openSealed = ({ sealed, next }: SealedKeys, vault: Vault) => {
  const pem = sealed && vault.open(sealed, sealedOf.present);
  const nextPem = next && vault.open(next, sealedOf.next);
  return {
    pem,
    present: pem === null ? null : toIdentity(pem),
    next: nextPem === null ? null : toIdentity(nextPem),
  };
};

/** Puts the keys in the database under another key for secrets. @param trx of the owner */
export async function resealIdentity(
  trx: Transaction<Database>,
  from: Vault,
  to: Vault,
): Promise<Resealed> {
  const { rows } = await sql<SealedKeys>`select sealed_identity as sealed,
    sealed_next_identity as next from installation for update`.execute(trx);
  const { sealed = null, next = null } = rows[0] ?? {};
  const done = { moved: 0, unreadable: 0 };
  const move = (value: Buffer | null, of: string): Buffer | null => {
    const text = value && from.open(value, of);
    if (value !== null) done[text === null ? "unreadable" : "moved"] += 1;
    return text === null ? value : to.seal(text, of);
  };
  await sql`update installation set sealed_identity = ${move(sealed, sealedOf.present)},
    sealed_next_identity = ${move(next, sealedOf.next)}`.execute(trx);
  return done;
}

function toIdentity(pem: string): ControllerIdentity {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== "ed25519") throw new Error("identity.pem holds no Ed25519 key");
  const publicKey = rawKey(createPublicKey(key));
  return {
    publicKey,
    sign: (text) => sign(null, Buffer.from(text), key).toString("base64url"),
    tls() {
      const now = Date.now();
      const until = new Date(now + certificateDays * dayMs);
      const cert = selfSigned(key, "weft-controller", new Date(now - dayMs), until);
      return { key: pem, cert };
    },
  };
}

function newIdentity(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ format: "pem", type: "pkcs8" }).toString();
}

interface SharedIdentity {
  /** Public key of the controller that worked on this database last. */
  readonly known: string | null;
  readonly sealed: Buffer | null;
  /** Keys that it had before that one. */
  readonly retired: readonly string[];
  /** Devices that believe that one only. */
  readonly devices: number;
}

/** Locked, so that of two gateways that start at once one makes the key. */
async function sharedIdentity(trx: Transaction<Database>): Promise<SharedIdentity> {
  const { rows } = await sql<SharedIdentity>`
    select controller_key as known, sealed_identity as sealed,
      retired_controller_keys as retired,
      (select count(*)::int from node_identity where state = 'approved') as devices
    from installation for update of installation`.execute(trx);
  return rows[0] ?? { known: null, sealed: null, retired: [], devices: 0 };
}

function refuseStranger(
  { known, sealed, devices }: SharedIdentity,
  key: string | null,
  file: string,
): void {
  if (known === null || known === key || (devices === 0 && sealed === null)) return;
  throw new Error(
    `${file} ${key === null ? "is missing" : "holds another key"}: this database belongs to the ` +
      `controller with the key ${keyHash(known).slice(0, 16)}, and its ${devices} devices believe ` +
      "no other. Put that controller's identity.pem there (a backup has it, and so has every " +
      "other gateway) and start again.",
  );
}
