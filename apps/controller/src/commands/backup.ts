// Backup and restore: `npm run backup -- FILE`, `npm run restore -- FILE` (docs/operations.md).
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { pino } from "pino";
import { restoreBackup } from "#backup/restore-backup.ts";
import { writeBackup } from "#backup/write-backup.ts";
import { databaseUrl } from "#db/connect.ts";
import { readSettings } from "#start/settings.ts";
import { noteBackup } from "#telemetry/last-backup.ts";

const usage = "Usage: npm run backup -- FILE, or npm run restore -- FILE";

async function run(): Promise<string> {
  const [command, ...rest] = process.argv.slice(2);
  const [file, ...more] = rest.filter((text) => text !== "--demonstration");
  if ((command !== "backup" && command !== "restore") || !file || more.length > 0) {
    throw new Error(usage);
  }
  const settings = readSettings(process.env, rest);
  const { backupPassphrase: passphrase, demonstration, secretKey } = settings;
  if (passphrase === undefined) {
    throw new Error("WEFT_BACKUP_PASSPHRASE must be set: it encrypts the controller's identity.");
  }
  const dataDir = resolve(settings.dataDir);
  await mkdir(dataDir, { recursive: true });
  const database = demonstration ? "weft_demonstration" : undefined;
  const logger = pino({ level: "warn" }, pino.destination(2));
  const given = { dataDir, databaseUrl: settings.databaseUrl, database };
  const { url, embedded } = await databaseUrl(given, logger);
  try {
    const input = { url, dataDir, file: resolve(file), passphrase, secretKey };
    if (command === "restore") return await restore(input);
    return await backUp(input, demonstration);
  } finally {
    // One that was adopted belongs to the controller that runs beside this.
    if (embedded && !embedded.adopted) await embedded.stop();
  }
}

type Input = Parameters<typeof writeBackup>[0];

async function backUp(input: Input, demonstration: boolean): Promise<string> {
  const { tables, createdAt } = await writeBackup(input);
  if (!demonstration) await noteBackup(input.dataDir, createdAt);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `Backup of ${createdAt}: ${rows} rows of ${tables.length} tables in ${input.file}`;
}

async function restore(input: Input): Promise<string> {
  const { manifest, epoch } = await restoreBackup(input);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  return `Restored ${rows} rows of ${manifest.createdAt}; epoch ${epoch} has started`;
}

try {
  console.log(await run());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
