import { randomInt } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { type Logger, pino } from "pino";
import { startDemonstration } from "#controller/demonstration/start.ts";
import { type OpenDatabase, openDatabase } from "#db/connect.ts";
import { createLoginCheck } from "#db/fresh-logins.ts";
import { MIGRATIONS } from "#db/migrate.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { seedFirstRows } from "#db/seed/first-rows.ts";
import { hashPassword } from "#domains/access/session/public.ts";
import { openMeasures } from "#measures/open.ts";
import { serveHealth } from "#plugins/health.ts";
import type { Settings } from "./settings.ts";
import { siteOf } from "./site.ts";
import { createApp } from "./start-app.ts";
import { type RunningRole, startRoles } from "./start-roles.ts";
import { vaultKey } from "./vault-key.ts";

export interface Controller {
  /** Where console and API answer: http://127.0.0.1:8080. */
  readonly url: string;
  readonly app: FastifyInstance;
  readonly pools: Pools<Database>;
  /** Set when this start made the first administrator and its password. */
  readonly madePassword: string | null;
  /** Takes no more calls, finishes those under way, ends roles, connections and stores. */
  close(): Promise<void>;
}

/** Where the repository's build puts the console (tools/src/console-build.ts). */
const builtConsole = join(import.meta.dirname, "../../../build/console");

/** Where `npm run build:edge` puts the packages of the edge. */
const builtEdge = join(import.meta.dirname, "../../../build/edge");

/** Log of the process: JSON lines; secrets are cut out by name should they ever get there. */
function createLogger(level: string): Logger {
  const names = ["password", "token", "authorization", "oldPsw", "newPsw", "rePsw"];
  const paths = names.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino({ level, base: null, redact: { paths, censor: "[redacted]" } });
}

interface Given {
  readonly logger?: Logger;
  /** Leaves the demonstration; absent: there is none, or it cannot be left. */
  readonly leaveDemonstration?: (adminPasswordHash: string) => Promise<void>;
  /** Of the first administrator, instead of a password that is set or made. */
  readonly adminPasswordHash?: string;
}

/**
 * Starts a controller: stores, migrations, first rows, roles and the HTTP server.
 * @throws Error in words for the operator; what was started on the way is ended.
 */
export async function createController(
  settings: Settings,
  { leaveDemonstration, adminPasswordHash, logger = createLogger(settings.logLevel) }: Given = {},
): Promise<Controller> {
  const dataDir = resolve(settings.dataDir);
  const { databaseUrl, demonstration } = settings;
  const database = await openDatabase<Database>(
    { dataDir, databaseUrl, database: demonstration ? "weft_demonstration" : undefined },
    logger,
  );
  const ends: (() => Promise<unknown>)[] = [() => database.stop()];
  const close = once(async () => {
    // One end that fails must not keep the others from theirs.
    for (const end of ends.reverse()) {
      await end().catch((error: unknown) => logger.error({ err: error }, "end failed"));
    }
  });
  try {
    const { pools } = database;
    const madePassword = await firstStart(settings, pools, adminPasswordHash);
    const { clickhouseUrl } = settings;
    const measures = openMeasures({ clickhouseUrl, dataDir, demonstration, logger });
    ends.push(() => measures.close());
    const app = await createApp({
      measures: measures.store,
      pools,
      logger,
      trustProxy: settings.trustProxy,
      consoleDir: resolve(settings.consoleDir ?? builtConsole),
      protocolImportUrl: settings.protocolImportUrl,
      features: settings.roles.has("api"),
      downloads: builtEdge,
      site: siteOf(settings),
      vaultKey: await vaultKey({ ...settings, dataDir }),
      demonstration: leaveDemonstration ? { leave: leaveDemonstration } : null,
    });
    ends.push(() => app.close());
    const running = await startRoles({ settings, app, database, dataDir, logger, measures });
    ends.push(...running.map((role) => () => role.close()));
    const url = await listen(app, settings, database, running);
    logger.info({ url, roles: [...settings.roles] }, "controller started");
    if (demonstration) {
      const password = settings.adminPassword ?? madePassword;
      const shown = await startDemonstration({
        ...{ url, dataDir, password, logger, measures, pools },
      });
      ends.push(() => shown.close());
    }
    return { url, app, pools, madePassword, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** First rows of a new database; the password, if it had to be made. */
async function firstStart(
  { adminPassword, operatorName }: Settings,
  pools: Pools<Database>,
  knownHash: string | undefined,
): Promise<string | null> {
  const password = adminPassword ?? makePassword();
  const made = await seedFirstRows(pools, {
    operatorName,
    adminPasswordHash: async () => knownHash ?? hashPassword(password),
  });
  const isSaid = knownHash !== undefined || adminPassword !== undefined;
  return made && !isSaid ? password : null;
}

/** Signs that are not taken for each other when read off a screen. */
const signs = "abcdefghjkmnpqrstuvwxyz23456789";

/** 12 signs, the longest that the rule of section 5 lets a person type: 59 bits. */
const makePassword = (): string =>
  Array.from({ length: 12 }, () => signs[randomInt(signs.length)]).join("");

async function listen(
  app: FastifyInstance,
  settings: Settings,
  database: OpenDatabase<Database>,
  running: readonly RunningRole[],
): Promise<string> {
  serveHealth(app, {
    database: async () => {
      await sql`select 1`.execute(database.pools.api.db);
      return true;
    },
    logins: createLoginCheck(database.pools),
    migrations: () => isMigrated(database.pools),
    ...Object.fromEntries(running.map((role) => [role.name, () => role.ready?.() ?? true])),
  });
  await app.listen({ host: settings.host, port: settings.port }).catch(explainListen);
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("no TCP address");
  const host = settings.host.includes(":") ? `[${settings.host}]` : settings.host;
  return `http://${host}:${address.port}`;
}

function explainListen(error: NodeJS.ErrnoException): never {
  if (error.code !== "EADDRINUSE") throw error;
  throw new Error(`${error.message}: end what uses it, or set WEFT_PORT`, { cause: error });
}

/** False once a newer controller has migrated the database under this one. */
async function isMigrated(pools: Pools<Database>): Promise<boolean> {
  const [files, { rows }] = await Promise.all([
    readdir(MIGRATIONS),
    sql<{ n: number }>`select count(*) as n from weft_meta.migration`.execute(pools.owner.db),
  ]);
  return rows[0]?.n === files.length;
}

function once(end: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined;
  return () => {
    ended ??= end();
    return ended;
  };
}
