import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { vaultKeyBytes } from "./vault.ts";

/** Where a process finds the key for secrets in the database. */
export interface KeySource {
  /** WEFT_SECRET_KEY; absent: a file in the data folder holds it. */
  readonly secretKey?: Buffer | undefined;
  readonly dataDir: string;
}

export const keyFile = (dataDir: string): string => join(dataDir, "secrets.key");

/**
 * The key of this process; null: it has none.
 * @throws Error when the file holds no key
 */
export async function readKey({ secretKey, dataDir }: KeySource): Promise<Buffer | null> {
  if (secretKey !== undefined) return secretKey;
  const file = keyFile(dataDir);
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

export const newKey = (): Buffer => randomBytes(vaultKeyBytes);

/** Writes a key where there is none. @returns the one that is there afterwards */
export async function placeKey(dataDir: string, key: Buffer): Promise<Buffer> {
  await placeSecret(keyFile(dataDir), `${key.toString("base64")}\n`);
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
