// `npm run key:rotate`: changes the key by which devices know the controller, in two steps with an overlap:
// `prepare`, then `activate` once all devices hold the next key (`status`); `cancel` gives it up. The settings
// are the controller's, which has to run: its gateways announce the key and follow the change.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { openDatabase } from "#db/connect.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { createVault } from "#kernel/vault.ts";
import {
  activateKey,
  cancelKey,
  type KeyStatus,
  keyStatus,
  type Lack,
  type Lacking,
  NotHeld,
  noGatewayYet,
  prepareKey,
} from "#start/change-identity.ts";
import { refuseEmpty } from "#start/existing-database.ts";
import { readSettings, type Settings } from "#start/settings.ts";
import { vaultKey } from "#start/vault-key.ts";

const usage =
  "Usage: npm run key:rotate -- status | prepare | activate [--force NODE,NODE] | cancel [--demonstration]\n" +
  "  --force  ids of the nodes whose devices may be cut off: all that do not hold the next key";

const reasons: Readonly<Record<Lack, string>> = {
  pending: "its device waits for approval: approve or reject it, or create a new activation code",
  offline: "is offline",
  tooOld: "runs a version that keeps no second key: upgrade it",
  notYet: "is connected and has not confirmed yet",
};

const short = (hash: string): string => hash.slice(0, 16);

const lineOf = ({ node, name, sn, version, lastSeen, lack }: Lacking): string =>
  `  ${node} ${name} (${sn}, ${version ?? "never connected"}` +
  `${lack === "offline" && lastSeen ? `, last seen ${lastSeen.toISOString()}` : ""}): ${reasons[lack]}`;

const listOf = (lacking: readonly Lacking[]): string => lacking.map(lineOf).join("\n");

function textOf({ present, next, preparedAt, activatedAt, holding, lacking }: KeyStatus): string {
  const lines = [`Key: ${present === null ? "none, no gateway has started yet" : short(present)}`];
  if (activatedAt !== null) lines.push(`Changed: ${activatedAt.toISOString()}`);
  if (next !== null) lines.push(`Next key: ${short(next)}, prepared ${preparedAt?.toISOString()}`);
  if (next !== null) lines.push(`Devices that hold it: ${holding} of ${holding + lacking.length}`);
  if (lacking.length > 0) {
    lines.push(next === null ? "Need a new activation code unless they come back:" : "Without it:");
    lines.push(listOf(lacking));
  }
  return lines.join("\n");
}

const toNodes = (text: string | undefined): ReadonlySet<number> => {
  const ids = text === undefined ? [] : text.split(",").map((part) => part.trim());
  if (ids.some((id) => !/^\d{1,15}$/.test(id))) throw new Error(usage);
  return new Set(ids.map(Number));
};

interface RotateOptions {
  readonly verb: string;
  readonly forced: ReadonlySet<number>;
}

function read(args: readonly string[]): RotateOptions {
  const options = { demonstration: { type: "boolean" }, force: { type: "string" } } as const;
  const { values, positionals } = (() => {
    try {
      return parseArgs({ args: [...args], options, allowPositionals: true });
    } catch {
      throw new Error(usage);
    }
  })();
  const [verb = "", ...more] = positionals;
  const isForced = values.force !== undefined && verb !== "activate";
  if (!["status", "prepare", "activate", "cancel"].includes(verb) || more.length > 0 || isForced) {
    throw new Error(usage);
  }
  return { verb, forced: toNodes(values.force) };
}

async function activate(pools: Pools<Database>, key: Buffer, forced: ReadonlySet<number>) {
  const { status, abandoned, revokedClaims } = await activateKey(pools, createVault(key), forced);
  return [
    textOf({ ...status, lacking: [] }),
    ...(abandoned.length > 0 ? [`These need a new activation code:\n${listOf(abandoned)}`] : []),
    `Activation codes that were not used yet and are revoked: ${revokedClaims}`,
    "Write a backup now: a controller that is restored from an earlier one has the previous key.",
  ].join("\n");
}

async function run(args: readonly string[]): Promise<string> {
  const { verb, forced } = read(args);
  const settings = readSettings(
    process.env,
    args.filter((arg) => arg === "--demonstration"),
  );
  refuseEmpty(settings);
  const { databaseUrl, demonstration } = settings;
  const dataDir = resolve(settings.dataDir);
  const database = await openDatabase<Database>(
    { dataDir, databaseUrl, database: demonstration ? "weft_demonstration" : undefined },
    { info: () => undefined, warn: console.warn },
  );
  try {
    return await change(database.pools, { ...settings, dataDir }, verb, forced);
  } finally {
    await database.release();
  }
}

async function change(
  pools: Pools<Database>,
  settings: Settings,
  verb: string,
  forced: ReadonlySet<number>,
): Promise<string> {
  if (verb === "status") return textOf(await keyStatus(pools));
  if (verb === "cancel") return textOf(await cancelKey(pools));
  if ((await keyStatus(pools)).present === null) throw new Error(noGatewayYet);
  const key = await vaultKey(settings, pools);
  if (verb === "prepare") return textOf(await prepareKey(pools, createVault(key)));
  return activate(pools, key, forced);
}

try {
  console.log(await run(process.argv.slice(2)));
} catch (error) {
  if (error instanceof NotHeld) {
    console.error(
      `Not activated: these devices do not hold the next key and would be cut off.\n${listOf(error.lacking)}\n` +
        "Wait until they confirm it (status), or name them: " +
        `--force ${error.lacking.map(({ node }) => node).join(",")}`,
    );
  } else console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
