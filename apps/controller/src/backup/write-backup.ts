import { createPrivateKey, createPublicKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { withClient } from "#db/embedded/login.ts";
import { roleUrl } from "#db/role-logins.ts";
import { identityFile, openSealed } from "#gateway/identity.ts";
import { type KeySource, keyFile, readKey } from "#kernel/key-file.ts";
import { createVault, fingerprintOf } from "#kernel/vault.ts";
import { type ArchiveWriter, refuseExisting, writeArchive } from "./archive.ts";
import { copyOut } from "./copy.ts";
import { type Manifest, manifestText } from "./manifest.ts";
import { newSalt, type SealKeys, seal, sealKeys } from "./seal.ts";
import { readSequences, readTables } from "./tables.ts";

export interface BackupInput {
  /** URL of the database; the owner's follows from it. */
  readonly url: string;
  /** Where identity.pem lies. */
  readonly dataDir: string;
  /** WEFT_SECRET_KEY; absent: secrets.key lies there as well. */
  readonly secretKey?: Buffer | undefined;
  readonly file: string;
  readonly passphrase: string;
}

const { escapeIdentifier } = pg;

/** SQL list of these columns. */
export const columnList = (columns: readonly string[]): string =>
  columns.map(escapeIdentifier).join(", ");

/**
 * Writes everything that PostgreSQL holds, as it was at one moment, and the controller's identity
 * into one file. The controller may run meanwhile.
 * @throws Error with a message for the operator; the file is there only if it is whole
 */
export async function writeBackup(input: BackupInput): Promise<Manifest> {
  const { url, file, passphrase } = input;
  await refuseExisting(file);
  const salt = newSalt();
  const keys = await sealKeys(passphrase, salt);
  return withClient(await roleUrl(url, "owner"), async (client) => {
    // Text of values must be the same wherever it is read: of times, of bytes, of numbers.
    await client.query(
      "set datestyle = iso; set timezone = 'UTC'; set intervalstyle = postgres; set extra_float_digits = 3; set bytea_output = hex",
    );
    await client.query("begin isolation level repeatable read, read only");
    let manifest: Manifest | undefined;
    await writeArchive(file, async (writer) => {
      manifest = await writeParts(client, writer, { ...input, salt, keys });
      return manifestText(keys, manifest);
    });
    await client.query("commit");
    if (!manifest) throw new Error("nothing was written");
    return manifest;
  });
}

interface Installation {
  readonly epoch: string;
  readonly key: string | null;
  readonly hash: string | null;
  /** The identity under the key for secrets. */
  readonly identity: Buffer | null;
}

async function writeParts(
  client: pg.Client,
  writer: ArchiveWriter,
  {
    dataDir,
    secretKey,
    salt,
    keys,
  }: BackupInput & { readonly salt: string; readonly keys: SealKeys },
): Promise<Manifest> {
  const { rows: migrations } = await client.query<Manifest["migrations"][number]>(
    "select name, checksum from weft_meta.migration order by name",
  );
  const { rows: installations } = await client.query<Installation>(
    "select epoch::text, controller_key as key, secret_key_hash as hash, sealed_identity as identity from weft.installation",
  );
  const [installation] = installations;
  if (!installation) throw new Error("This database was never used by a controller.");
  const tables: Manifest["tables"] = [];
  for (const { name, columns } of await readTables(client)) {
    const query = `select ${columnList(columns)} from weft.${escapeIdentifier(name)}`;
    let rows = 0;
    const facts = await writer.part(name, async (write) => {
      rows = await copyOut(client, `copy (${query}) to stdout`, write);
    });
    tables.push({ name, columns: [...columns], rows, ...facts });
  }
  return {
    createdAt: new Date().toISOString(),
    epoch: Number(installation.epoch),
    migrations,
    tables,
    // Numbers are handed out beside all transactions: read last, none of the rows is ahead of them.
    sequences: await readSequences(client),
    salt,
    identity:
      installation.key === null
        ? null
        : await sealIdentity({ dataDir, secretKey }, installation.key, installation, keys),
    ...(installation.hash !== null && {
      secretKey: await sealSecretKey({ dataDir, secretKey }, installation.hash, keys),
    }),
  };
}

async function sealSecretKey(source: KeySource, fingerprint: string, keys: SealKeys) {
  const key = await readKey(source, fingerprint);
  if (key === null || fingerprintOf(key) !== fingerprint) {
    throw new Error(
      `${keyFile(source.dataDir)} does not hold the key that this database's secrets are under: run ` +
        "the backup with the WEFT_DATA, or the WEFT_SECRET_KEY, of the controller.",
    );
  }
  return { fingerprint, sealed: seal(keys, key.toString("base64")) };
}

/**
 * From the file; a gateway that has not followed a change of the key yet has the previous one there, and
 * then it comes from the database.
 */
async function sealIdentity(
  source: KeySource,
  known: string,
  installation: Installation,
  keys: SealKeys,
) {
  const file = identityFile(source.dataDir);
  const existing = await readFile(file, "utf8").catch(() => null);
  const isKnown = existing !== null && publicKeyOf(existing) === known;
  const pem = isKnown ? existing : await openIdentityOf(source, installation);
  if (pem === null || publicKeyOf(pem) !== known) {
    throw new Error(
      `${file} does not hold the identity of this controller: run the backup where its gateway ` +
        "runs, with the same WEFT_DATA. Without it no edge would believe a restored controller.",
    );
  }
  return { publicKey: known, sealed: seal(keys, pem) };
}

async function openIdentityOf(
  source: KeySource,
  { hash, identity }: Installation,
): Promise<string | null> {
  const key = await readKey(source, hash);
  return key && openSealed({ sealed: identity, next: null }, createVault(key)).pem;
}

/** Raw Ed25519 public key (base64url) of a private key in PEM; null when it is none. */
export function publicKeyOf(pem: string): string | null {
  try {
    return createPublicKey(createPrivateKey(pem)).export({ format: "jwk" }).x ?? null;
  } catch {
    return null;
  }
}
