import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fingerprintOf, vaultKeyBytes } from "./vault.ts";

/** Where a process finds the key for secrets in the database. */
export interface KeySource {
  /** WEFT_SECRET_KEY; absent: a file in the data folder holds it. */
  readonly secretKey?: Buffer | undefined;
  /** WEFT_SECRET_KEY_PREVIOUS: what secrets are still under; they are put under the key at a start. */
  readonly previousKey?: Buffer | undefined;
  readonly dataDir: string;
}

export const keyFile = (dataDir: string): string => join(dataDir, "secrets.key");

/** Holds the key that is to come while secrets are put under it; both files count until then. */
const nextKeyFile = (dataDir: string): string => `${keyFile(dataDir)}.next`;

/**
 * The key of this process; null: it has none.
 * @param fingerprint of the key that the database is under: a change of the key that was cut short
 * leaves two keys in the folder, and databases under either
 * @throws Error when a file holds no key
 */
export async function readKey(
  { secretKey, dataDir }: KeySource,
  fingerprint: string | null = null,
): Promise<Buffer | null> {
  if (secretKey !== undefined) return secretKey;
  const own = await readKeyFile(keyFile(dataDir));
  if (own === null || fingerprint === null || fingerprintOf(own) === fingerprint) return own;
  const next = await readKeyFile(nextKeyFile(dataDir));
  return next !== null && fingerprintOf(next) === fingerprint ? next : own;
}

async function readKeyFile(file: string): Promise<Buffer | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return null;
  });
  if (text === null) return null;
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== vaultKeyBytes) {
    throw new Error(`${file} holds no key of ${vaultKeyBytes} bytes in base64.`);
  }
  return key;
}

/** The key that is to come, made and kept on the first call. */
export async function placeNextKey(dataDir: string): Promise<Buffer> {
  const made = newKey();
  await placeSecret(nextKeyFile(dataDir), textOf(made));
  return (await readKeyFile(nextKeyFile(dataDir))) ?? made;
}

/** The key that was to come is the only one from now on. */
export const takeNextKey = (dataDir: string): Promise<void> =>
  rename(nextKeyFile(dataDir), keyFile(dataDir));

const textOf = (key: Buffer): string => `${key.toString("base64")}\n`;

export const newKey = (): Buffer => randomBytes(vaultKeyBytes);

/** Writes a key where there is none. @returns the one that is there afterwards */
export async function placeKey(dataDir: string, key: Buffer): Promise<Buffer> {
  await placeSecret(keyFile(dataDir), textOf(key));
  return (await readKey({ dataDir })) ?? key;
}

/**
 * Writes a file that only this user reads, unless it is there. It appears whole, and of two that
 * start at once one makes it.
 */
export async function placeSecret(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
}

/** Puts a file that only this user reads in place of the one that is there: always one of the two, whole. */
export async function replaceSecret(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, file);
}
