import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { withClient } from "#db/embedded/login.ts";
import { locks } from "#db/locks.ts";
import {
  isUnreleased,
  migrate,
  migrateWithin,
  migrationsFolder,
  readMigrations,
} from "#db/migrate.ts";
import { roleUrl } from "#db/role-logins.ts";
import { bootstrapRoles } from "#db/roles.ts";
import { type KeySource, keyFile, placeKey, placeSecret, readKey } from "#kernel/key-file.ts";
import { DamagedArchive, readArchive } from "./archive.ts";
import { copyIn } from "./copy.ts";
import { type Manifest, type OpenManifest, openManifest } from "./manifest.ts";
import { startEpoch } from "./new-epoch.ts";
import { readTables, type Table } from "./tables.ts";
import { columnList, publicKeyOf } from "./write-backup.ts";

export interface RestoreInput {
  readonly url: string;
  /** Where identity.pem is put. */
  readonly dataDir: string;
  /** WEFT_SECRET_KEY; absent: the backup's is put there as secrets.key. */
  readonly secretKey?: Buffer | undefined;
  readonly file: string;
  readonly passphrase: string;
}

export interface Restored {
  readonly manifest: Manifest;
  /** The epoch that began with this restore. */
  readonly epoch: number;
}

const { escapeIdentifier } = pg;
/**
 * Numbers that the lost controller may have handed out after the backup: links, nodes and audit
 * rows that are still known outside by them never get another meaning.
 */
const skippedNumbers = 100_000;

/**
 * Reads and checks a backup as a whole, with nothing touched.
 * @throws Error with a message for the operator
 */
async function checkBackup(file: string, passphrase: string): Promise<OpenManifest> {
  const drain = async (_name: string, bytes: AsyncIterable<Buffer>): Promise<void> => {
    for await (const _ of bytes);
  };
  const { manifest: text, parts } = await readArchive(file, drain);
  const opened = await openManifest(text, passphrase);
  const { tables } = opened.manifest;
  for (const { name, bytes, sha256 } of tables) {
    const part = parts.get(name);
    if (part?.sha256 !== sha256 || part.bytes !== bytes) {
      throw new DamagedArchive(`the rows of ${name} are not those that were written`);
    }
  }
  if (parts.size !== tables.length) throw new DamagedArchive("it holds more than it says");
  const { identity } = opened.manifest;
  if (identity && publicKeyOf(opened.identityPem ?? "") !== identity.publicKey) {
    throw new DamagedArchive("the identity in it is another controller's");
  }
  return opened;
}

/**
 * Puts a backup into an empty database and begins a new epoch.
 * @throws Error with a message for the operator; the database is as empty as before then
 */
export async function restoreBackup(input: RestoreInput): Promise<Restored> {
  const { url, file, passphrase, dataDir } = input;
  const { manifest, identityPem, secretKey } = await checkBackup(file, passphrase);
  await checkSchema(manifest);
  await bootstrapRoles(url);
  await withClient(await roleUrl(url, "owner"), (client) => refuseUsed(client, manifest));
  await refuseOtherIdentity(dataDir, identityPem);
  await refuseOtherKey(input, secretKey);
  await migrate(url, { only: new Set(manifest.migrations.map((migration) => migration.name)) });
  const epoch = await withClient(await roleUrl(url, "owner"), async (client) => {
    await client.query(
      "set datestyle = iso; set timezone = 'UTC'; set intervalstyle = postgres; set search_path = weft, public",
    );
    // Held by the connection: no start migrates meanwhile.
    await client.query("select pg_advisory_lock($1, $2)", [...locks.migrations]);
    await client.query("begin");
    // A controller may use the database since the first check.
    await client.query("lock table weft.enterprise in access exclusive mode");
    await refuseUsed(client, manifest);
    await load(client, file, manifest);
    await skipNumbers(client, manifest);
    // The rows are of the backup's schema, and what begins the epoch is of today's: functions and triggers are made now.
    await migrateWithin(client, url);
    const began = await startEpoch(client, manifest.createdAt);
    if (identityPem !== null) await placeSecret(join(dataDir, "identity.pem"), identityPem);
    if (secretKey && !input.secretKey) await placeKey(dataDir, secretKey);
    await client.query("commit");
    return began;
  });
  return { manifest, epoch };
}

/** Refuses a schema that these migrations do not lead to. */
async function checkSchema({ migrations }: Manifest): Promise<void> {
  const files = await readMigrations(migrationsFolder);
  for (const migration of migrations) {
    const file = files.find(({ name }) => name === migration.name);
    if (!file && isUnreleased(migration.name, files)) {
      throw new Error(
        "The backup was made by a Weft older than the first release (its last migration is " +
          `${migrations.at(-1)?.name}). Restore it with the version that wrote it.`,
      );
    }
    if (!file) {
      throw new Error(
        `The backup is newer than this Weft: it has the migration ${migration.name}, and the last one ` +
          `here is ${files.at(-1)?.name ?? "none"}. Restore it with the version that wrote it.`,
      );
    }
    if (file.checksum !== migration.checksum) {
      throw new Error(
        `The backup was made with another migration ${migration.name} than this Weft has. Restore it ` +
          "with the version that wrote it.",
      );
    }
  }
}

async function refuseUsed(client: pg.Client, { migrations }: Manifest): Promise<void> {
  const { rows: schemas } = await client.query<{ there: boolean }>(
    "select to_regclass('weft_meta.migration') is not null as there",
  );
  if (!schemas[0]?.there) return;
  const { rows: applied } = await client.query<{ name: string }>(
    "select name from weft_meta.migration",
  );
  const { rows: tables } = await client.query<{ there: boolean }>(
    "select to_regclass('weft.enterprise') is not null as there",
  );
  const isUsed =
    tables[0]?.there && (await client.query("select from weft.enterprise limit 1")).rowCount !== 0;
  if (isUsed) {
    throw new Error(
      "The database is in use: a backup is restored into an empty one only. End the controller " +
        "and name another WEFT_DATA or WEFT_DATABASE_URL.",
    );
  }
  const ofBackup = new Set(migrations.map(({ name }) => name));
  if (applied.some(({ name }) => !ofBackup.has(name))) {
    throw new Error(
      "The database is empty, but newer than the backup: name one that Weft has never used.",
    );
  }
}

const isMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code !== "ENOENT") throw error;
  return null;
};

async function refuseOtherIdentity(dataDir: string, pem: string | null): Promise<void> {
  const file = join(dataDir, "identity.pem");
  const existing = await readFile(file, "utf8").catch(isMissing);
  if (pem === null || existing === null || publicKeyOf(existing) === publicKeyOf(pem)) return;
  throw new Error(`${file} holds another controller's identity: move it away first.`);
}

async function refuseOtherKey(source: KeySource, key: Buffer | null): Promise<void> {
  const existing = await readKey(source);
  if (key === null || existing === null || existing.equals(key)) return;
  throw new Error(
    source.secretKey
      ? "WEFT_SECRET_KEY is not the key of the backup: unset it, and the key of the backup is used."
      : `${keyFile(source.dataDir)} holds another controller's key for secrets: move it away first.`,
  );
}

async function load(client: pg.Client, file: string, manifest: Manifest): Promise<void> {
  const tables = new Map((await readTables(client)).map((table) => [table.name, table]));
  const wanted = manifest.tables.map(({ name }) => name);
  if (wanted.some((name) => !tables.has(name)) || tables.size !== wanted.length) {
    throw new DamagedArchive("its tables are not those of its schema");
  }
  const all = wanted.map((name) => `weft.${escapeIdentifier(name)}`);
  const triggers = (command: "disable" | "enable") =>
    client.query(all.map((table) => `alter table ${table} ${command} trigger user`).join("; "));
  // What they keep from happening, or would do once more, is just what a restore does.
  await triggers("disable");
  await client.query(`truncate ${all.join(", ")}`);
  await readArchive(file, async (name, bytes) => {
    const facts = manifest.tables.find((table) => table.name === name);
    const table = tables.get(name);
    if (!facts || !table) throw new DamagedArchive(`${name} is no table`);
    const rows = await fill(client, table, facts.columns, bytes);
    if (rows !== facts.rows) throw new DamagedArchive(`${name} has ${rows} rows`);
  });
  await triggers("enable");
}

/** COPY refuses tables whose row-level security binds the one who copies: it is lifted meanwhile. */
async function fill(
  client: pg.Client,
  { name, isForced }: Table,
  columns: readonly string[],
  bytes: AsyncIterable<Buffer>,
): Promise<number> {
  const table = `weft.${escapeIdentifier(name)}`;
  if (isForced) await client.query(`alter table ${table} no force row level security`);
  const rows = await copyIn(client, `copy ${table} (${columnList(columns)}) from stdin`, bytes);
  if (isForced) await client.query(`alter table ${table} force row level security`);
  return rows;
}

async function skipNumbers(client: pg.Client, { sequences }: Manifest): Promise<void> {
  for (const { name, value } of sequences) {
    await client.query(
      `select setval(format('weft.%I', sequencename)::regclass, least($2::bigint, max_value))
       from pg_sequences where schemaname = 'weft' and sequencename = $1`,
      [name, value + skippedNumbers],
    );
  }
}
