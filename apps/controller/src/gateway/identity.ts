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
import { placeSecret } from "#kernel/key-file.ts";
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
const keyHash = (publicKey: string): string =>
  createHash("sha256").update(Buffer.from(publicKey, "base64url")).digest("hex");

/** Of whom the key in the database is, for the vault. */
const sealedOf = "the controller's identity";

/**
 * The controller's key: from `<dataDir>/identity.pem`, else from the database, where it lies under
 * the key for secrets, else made. All gateways on one database are one controller; one with another
 * key would be a stranger to the fleet and is refused.
 * @throws Error with a message for the operator.
 */
export async function openIdentity(
  dataDir: string,
  pools: Pools<Database>,
  vault: Vault,
): Promise<ControllerIdentity> {
  const file = join(dataDir, "identity.pem");
  const found = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return null;
  });
  const pem = await pools.owner.db.transaction().execute(async (trx) => {
    const shared = await sharedIdentity(trx);
    const kept = shared.sealed && vault.open(shared.sealed, sealedOf);
    if (found === null && kept !== null) return kept;
    refuseStranger(shared, found === null ? null : toIdentity(found).publicKey, file);
    const own = found ?? newIdentity();
    if (kept === null) {
      await sql`update installation set controller_key = ${toIdentity(own).publicKey},
        sealed_identity = ${vault.seal(own, sealedOf)}`.execute(trx);
    }
    return own;
  });
  if (found === null) await placeSecret(file, pem);
  return toIdentity(pem);
}

/** Puts the key in the database under another key for secrets. @param trx of the owner */
export async function resealIdentity(
  trx: Transaction<Database>,
  from: Vault,
  to: Vault,
): Promise<Resealed> {
  const { sealed } = await sharedIdentity(trx);
  if (sealed === null) return { moved: 0, unreadable: 0 };
  const pem = from.open(sealed, sealedOf);
  if (pem === null) return { moved: 0, unreadable: 1 };
  await sql`update installation set sealed_identity = ${to.seal(pem, sealedOf)}`.execute(trx);
  return { moved: 1, unreadable: 0 };
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
  /** Devices that believe that one only. */
  readonly devices: number;
}

/** Locked, so that of two gateways that start at once one makes the key. */
async function sharedIdentity(trx: Transaction<Database>): Promise<SharedIdentity> {
  const { rows } = await sql<SharedIdentity>`
    select controller_key as known, sealed_identity as sealed,
      (select count(*)::int from node_identity where state = 'approved') as devices
    from installation for update of installation`.execute(trx);
  return rows[0] ?? { known: null, sealed: null, devices: 0 };
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
