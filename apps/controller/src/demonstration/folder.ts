import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";

export const demonstrationFolder = (dataDir: string): string => join(dataDir, "demonstration");

/** What the simulated devices are; it appears once all their rows are made. */
export const fleetFile = (folder: string): string => join(folder, "fleet.json");

/** Whether no start has come as far as a whole demonstration: what there is of it is a part. */
export const isCutShort = (dataDir: string): boolean =>
  !existsSync(fleetFile(demonstrationFolder(dataDir)));

/** Removes what a start that was cut short left in files; its password and port stay. */
export async function forgetDemonstration(dataDir: string): Promise<void> {
  await rm(join(demonstrationFolder(dataDir), "edges"), { recursive: true, force: true });
  await rm(join(dataDir, "measures-demonstration"), { recursive: true, force: true });
}
