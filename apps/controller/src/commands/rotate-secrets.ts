// `npm run secrets:rotate`: puts all secrets of the databases under another key for secrets. Without
// WEFT_SECRET_KEY the key is in the data folder, and a new one is made; with it, WEFT_SECRET_KEY is the new
// key and WEFT_SECRET_KEY_PREVIOUS the one before. The settings are the controller's, which must not run.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { openDatabase } from "#db/connect.ts";
import type { Database } from "#db/schema.ts";
import { demonstrationFolder } from "#demonstration/folder.ts";
import { placeNextKey, readKey, takeNextKey } from "#kernel/key-file.ts";
import { lockData } from "#start/data-lock.ts";
import { type Rotation, rotateKey } from "#start/rotate-key.ts";
import { readSettings, type Settings } from "#start/settings.ts";

async function run(args: readonly string[]): Promise<string> {
  if (args.length > 0) throw new Error("Usage: npm run secrets:rotate");
  const settings = readSettings(process.env);
  const dataDir = resolve(settings.dataDir);
  const lock = await lockData(dataDir);
  try {
    return await rotate(settings, dataDir);
  } finally {
    await lock.release();
  }
}

async function rotate(settings: Settings, dataDir: string): Promise<string> {
  const { secretKey, previousKey } = settings;
  if (secretKey !== undefined && previousKey === undefined) {
    throw new Error(
      "WEFT_SECRET_KEY is the new key: set the previous one as WEFT_SECRET_KEY_PREVIOUS.",
    );
  }
  const from = previousKey ?? (await readKey({ dataDir }));
  if (from === null)
    throw new Error(`${dataDir} contains no key for secrets: there is nothing to change.`);
  // Kept before anything is under it.
  const to = secretKey ?? (await placeNextKey(dataDir));
  const done: string[] = [];
  for (const database of databasesOf(settings, dataDir)) {
    const rotation = await rotateIn(settings, dataDir, database, [from, to]);
    if (rotation) done.push(textOf(database ?? "weft", rotation));
  }
  if (secretKey === undefined) await takeNextKey(dataDir);
  return [...done, "The key for secrets was changed."].join("\n");
}

/** An embedded server has the demonstration beside the installation, under the same key. */
const databasesOf = (
  { databaseUrl }: Settings,
  dataDir: string,
): readonly (string | undefined)[] =>
  databaseUrl === undefined && existsSync(demonstrationFolder(dataDir))
    ? [undefined, "weft_demonstration"]
    : [undefined];

async function rotateIn(
  { databaseUrl }: Settings,
  dataDir: string,
  name: string | undefined,
  [from, to]: readonly [Buffer, Buffer],
): Promise<Rotation | null> {
  const database = await openDatabase<Database>(
    { dataDir, databaseUrl, database: name },
    { info: () => undefined, warn: console.warn },
  );
  try {
    return await rotateKey(database.pools, from, to);
  } finally {
    await database.release();
  }
}

function textOf(database: string, rotation: Rotation): string {
  const parts = Object.entries(rotation).map(([kind, { moved, unreadable }]) =>
    unreadable === 0 ? `${kind} ${moved}` : `${kind} ${moved} (${unreadable} cannot be read)`,
  );
  return `${database}: ${parts.join(", ")}`;
}

try {
  console.log(await run(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
