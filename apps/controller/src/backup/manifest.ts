import { z } from "zod";
import { DamagedArchive } from "./archive.ts";
import { isSame, macOf, type SealKeys, sealKeys, unseal } from "./seal.ts";

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const name = z.string().regex(/^[a-z_][a-z0-9_]*$/);

const content = z.strictObject({
  createdAt: z.iso.datetime(),
  /** Epoch of the installation at that time. */
  epoch: z.int().positive(),
  /** The schema: migrations that the database had. */
  migrations: z.array(z.strictObject({ name: z.string(), checksum: hex })).min(1),
  /** In an order in which they can be filled: what is referred to comes first. */
  tables: z.array(
    z.strictObject({
      name,
      columns: z.array(name),
      rows: z.int().min(0),
      bytes: z.int().min(0),
      sha256: hex,
    }),
  ),
  sequences: z.array(z.strictObject({ name, value: z.int().min(0) })),
  /** Of the passphrase, base64url. */
  salt: z.string().regex(/^[A-Za-z0-9_-]{22}$/),
  /** identity.pem; null where no gateway had started yet. */
  identity: z
    .strictObject({
      publicKey: z.string(),
      sealed: z.strictObject({ iv: z.string(), tag: z.string(), data: z.string() }),
    })
    .nullable(),
  /** The key for secrets in the database. Absent in older backups, and where nothing needed one. */
  secretKey: z
    .strictObject({
      fingerprint: z.string(),
      sealed: z.strictObject({ iv: z.string(), tag: z.string(), data: z.string() }),
    })
    .optional(),
});
const sealedManifest = z.strictObject({ manifest: content, mac: hex });

/** What an archive says of itself. */
export type Manifest = z.output<typeof content>;

export const manifestText = (keys: SealKeys, manifest: Manifest): string =>
  JSON.stringify({ manifest, mac: macOf(keys, manifest) });

export interface OpenManifest {
  readonly manifest: Manifest;
  /** Content of identity.pem. */
  readonly identityPem: string | null;
  readonly secretKey: Buffer | null;
}

/**
 * Reads a manifest and proves that its author knew the passphrase.
 * @throws Error with a message for the operator
 */
export async function openManifest(text: string, passphrase: string): Promise<OpenManifest> {
  let parsed: z.output<typeof sealedManifest>;
  try {
    parsed = sealedManifest.parse(JSON.parse(text));
  } catch {
    throw new DamagedArchive("its manifest cannot be read by this version");
  }
  const { manifest, mac } = parsed;
  const keys = await sealKeys(passphrase, manifest.salt);
  if (!isSame(macOf(keys, manifest), mac)) {
    throw new Error("The passphrase is not that of this backup, or the backup was modified.");
  }
  const { identity, secretKey } = manifest;
  return {
    manifest,
    identityPem: identity && unseal(keys, identity.sealed),
    secretKey: secretKey ? Buffer.from(unseal(keys, secretKey.sealed), "base64") : null,
  };
}
