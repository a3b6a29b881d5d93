import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { VAULT_KEY_BYTES } from "#kernel/vault.ts";
import type { Settings } from "./settings.ts";

/**
 * The key for secrets in the database: from the settings, else from a file in the data folder that
 * the first start makes.
 * @throws Error when that file holds no key.
 */
export async function vaultKey({
  secretKey,
  dataDir,
}: Pick<Settings, "secretKey" | "dataDir">): Promise<Buffer> {
  if (secretKey !== undefined) return secretKey;
  const file = join(dataDir, "secrets.key");
  const known = await readFile(file, "utf8").catch(() => null);
  const text = known ?? (await makeKey(file, dataDir));
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== VAULT_KEY_BYTES) {
    throw new Error(`${file} holds no key of ${VAULT_KEY_BYTES} bytes in base64.`);
  }
  return key;
}

async function makeKey(file: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const draft = `${file}.${process.pid}`;
  const made = `${randomBytes(VAULT_KEY_BYTES).toString("base64")}\n`;
  await writeFile(draft, made, { mode: 0o600, flush: true });
  // The file appears whole, and of two that start at once one makes it.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  return readFile(file, "utf8");
}
