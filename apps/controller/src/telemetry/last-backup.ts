import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Beside the identity, which a backup needs: it is written where a gateway runs. */
const fileOf = (dataDir: string): string => join(dataDir, "last-backup");

/** Notes that a backup of this installation is complete. @param at ISO 8601 */
export const noteBackup = (dataDir: string, at: string): Promise<void> =>
  writeFile(fileOf(dataDir), `${at}\n`);

/** When the last backup was written, in ms of the epoch; null: none is known here. */
export async function lastBackup(dataDir: string): Promise<number | null> {
  const at = Date.parse((await readFile(fileOf(dataDir), "utf8").catch(() => "")).trim());
  return Number.isNaN(at) ? null : at;
}
