import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
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

/**
 * Reads the controller's key from `<dataDir>/identity.pem`, or makes it. A controller with another
 * key is a stranger to its fleet, so none is made where boxes know one already.
 * @throws Error in words for the operator.
 */
export async function openIdentity(
  dataDir: string,
  pools: Pools<Database>,
): Promise<ControllerIdentity> {
  const file = join(dataDir, "identity.pem");
  const found = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return null;
  });
  if (found !== null) await refuseStranger(pools, toIdentity(found).publicKey, file);
  else await refuseStranger(pools, null, file);
  return toIdentity(found ?? (await makeKey(dataDir, file)));
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

/** Written whole under another name first; of two processes that start at once the first wins. */
async function makeKey(dataDir: string, file: string): Promise<string> {
  const { privateKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  await mkdir(dataDir, { recursive: true });
  const own = `${file}.${process.pid}`;
  await writeFile(own, pem, { mode: 0o600, flush: true });
  await link(own, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(own);
  return readFile(file, "utf8");
}

async function refuseStranger(
  pools: Pools<Database>,
  key: string | null,
  file: string,
): Promise<void> {
  const { rows } = await sql<{ known: string | null; boxes: number }>`
    select controller_key as known,
      (select count(*)::int from node_identity where state = 'approved') as boxes
    from installation`.execute(pools.owner.db);
  const known = rows[0]?.known ?? null;
  if (known === null || known === key || rows[0]?.boxes === 0) return;
  throw new Error(
    `${file} ${key === null ? "is missing" : "holds another key"}: the ${rows[0]?.boxes} boxes of this ` +
      `database believe the controller with the key ${keyHash(known).slice(0, 16)} only. ` +
      "Put that controller's identity.pem there (a backup has it) and start again.",
  );
}

/** Tells everybody who makes claims who the controller is and where boxes find it. */
export async function announce(
  pools: Pools<Database>,
  publicKey: string,
  addresses: readonly string[],
): Promise<void> {
  await sql`update installation set controller_key = ${publicKey},
    edge_addresses = ${[...addresses]}::text[]`.execute(pools.owner.db);
}
