import { rm } from "node:fs/promises";
import { sql } from "kysely";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { type KeySource, keyFile, newKey, placeKey, readKey } from "#kernel/key-file.ts";
import { fingerprintOf } from "#kernel/vault.ts";
import { rotateKey } from "./rotate-key.ts";

/**
 * The key for secrets in the database: from the settings, else from a file in the data folder. The
 * database remembers which key it is: the first start on it makes one, and a process with another
 * or without any is refused, as it could read nothing and would write what others cannot read. With
 * the one before it in the settings, what is in the database is put under the key first.
 * @throws Error with a message for the operator
 */
export async function vaultKey(source: KeySource, pools: Pools<Database>): Promise<Buffer> {
  const known = await knownFingerprint(pools);
  const key = await readKey(source, known.hash);
  if (key === null && known.hash === null && !known.isUsed) return makeKey(source, pools);
  const hash = key && (known.hash ?? (await remember(pools, key)));
  if (key && hash === fingerprintOf(key)) return key;
  const { previousKey } = source;
  if (key && previousKey && hash === fingerprintOf(previousKey)) {
    await rotateKey(pools, previousKey, key);
    return key;
  }
  throw stranger(source, key !== null);
}

async function makeKey(source: KeySource, pools: Pools<Database>): Promise<Buffer> {
  const made = newKey();
  // The file first: a database under a key that is not kept anywhere would be lost.
  const key = await placeKey(source.dataDir, made);
  if ((await remember(pools, key)) === fingerprintOf(key)) return key;
  // Another machine's first start came before: this one's key is of no use.
  if (key.equals(made)) await rm(keyFile(source.dataDir), { force: true });
  throw stranger(source, false);
}

function stranger({ secretKey, dataDir }: KeySource, hasKey: boolean): Error {
  const what =
    secretKey === undefined
      ? `${keyFile(dataDir)} ${hasKey ? "holds another key than" : "is missing; it must hold"}`
      : "WEFT_SECRET_KEY is another key than";
  return new Error(
    `${what} the one that this database's secrets are under. Copy secrets.key from the WEFT_DATA ` +
      "of a process that runs on this database, set its text as WEFT_SECRET_KEY, or take it from a " +
      "backup (docs/operations.md, The key for secrets).",
  );
}

interface Known {
  readonly hash: string | null;
  /** Something is under a key already. */
  readonly isUsed: boolean;
}

/** Waits for a change of the key that is under way. */
async function knownFingerprint(pools: Pools<Database>): Promise<Known> {
  const { rows } = await sql<Known>`
    select secret_key_hash as hash, exists (select from totp) as "isUsed" from installation
    for share of installation`.execute(pools.owner.db);
  return rows[0] ?? { hash: null, isUsed: false };
}

/** Of starts at the same time one is the first. @returns the fingerprint that holds */
async function remember(pools: Pools<Database>, key: Buffer): Promise<string | null> {
  await sql`update installation set secret_key_hash = ${fingerprintOf(key)}
    where secret_key_hash is null`.execute(pools.owner.db);
  return (await knownFingerprint(pools)).hash;
}
