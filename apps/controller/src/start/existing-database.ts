import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Settings } from "./settings.ts";

/** @throws Error for the operator where a command would make an empty database and work on that */
export function refuseEmpty({ databaseUrl, dataDir }: Settings): void {
  if (databaseUrl !== undefined || existsSync(join(resolve(dataDir), "postgres"))) return;
  throw new Error(`No database under ${resolve(dataDir)}: set WEFT_DATA or WEFT_DATABASE_URL.`);
}
