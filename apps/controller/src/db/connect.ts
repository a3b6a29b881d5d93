import type { Logger } from "pino";
import { awaitServer } from "./await-server.ts";
import { dropDatabase } from "./drop-database.ts";
import { keepEmbedded } from "./embedded/keep-running.ts";
import { type EmbeddedServer, openEmbedded } from "./embedded/open.ts";
import { migrate } from "./migrate.ts";
import { failNested, type ReportNested, reportNestedOnce } from "./one-connection.ts";
import { openPools, type Pools } from "./pool.ts";
import { readLogins } from "./role-logins.ts";
import { bootstrapRoles } from "./roles.ts";

export interface DatabaseSettings {
  /** WEFT_DATABASE_URL: a login that owns the database and may make roles. */
  readonly databaseUrl?: string | undefined;
  /** WEFT_DATA, where the embedded server keeps its files. */
  readonly dataDir: string;
  /** Database inside the embedded server; `weft` if absent. The demonstration has its own. */
  readonly database?: string | undefined;
  /** What the embedded server holds under this name is removed first. */
  readonly isFresh?: boolean | undefined;
  /** Starts the embedded server again whenever it is gone; for the process that owns the data folder. */
  readonly keepRunning?: boolean | undefined;
  /** As PoolOptions has it. */
  readonly statementTimeoutMs?: number | undefined;
}

export interface OpenDatabase<DB> {
  readonly pools: Pools<DB>;
  /** The URL that everything else follows from; it is a secret. */
  readonly url: string;
  /** Names of the migrations that this start applied. */
  readonly migrated: readonly string[];
  /** Closes the pools, and ends the server if it is the embedded one. */
  stop(): Promise<void>;
  /** Closes the pools, and ends the embedded server only if this opening started it. */
  release(): Promise<void>;
}

/** The database's URL: WEFT_DATABASE_URL if set, else the embedded server's, which is started. */
export async function databaseUrl(
  settings: DatabaseSettings,
  logger: Pick<Logger, "info" | "warn">,
): Promise<{ url: string; embedded: EmbeddedServer | undefined }> {
  if (settings.databaseUrl) {
    await awaitServer(settings.databaseUrl, logger);
    return { url: settings.databaseUrl, embedded: undefined };
  }
  const { dataDir, database } = settings;
  const options = { dataDir, database, logger };
  const embedded = await openEmbedded(options);
  if (!settings.isFresh || (await isEmpty(embedded.url))) return { url: embedded.url, embedded };
  const admin = Object.assign(new URL(embedded.url), { pathname: "/postgres" }).href;
  await dropDatabase(admin, embedded.url);
  return { url: (await openEmbedded(options)).url, embedded };
}

/** Whoever works on Weft is to find the place; a site that serves people goes on, and its log names it. */
function nestedIn(logger: Pick<Logger, "warn">): ReportNested {
  if (["test", "development"].includes(process.env.NODE_ENV ?? "")) return failNested;
  return reportNestedOnce((error) =>
    logger.warn({ err: error }, "work takes a second database connection while it holds one"),
  );
}

const isEmpty = (url: string): Promise<boolean> =>
  readLogins(url).then(
    () => false,
    () => true,
  );

/**
 * Opens the database ready for use: server, roles, migrations, pools.
 * @throws Error with a message for the operator; an embedded server started on the way is ended.
 */
export async function openDatabase<DB>(
  settings: DatabaseSettings,
  logger: Pick<Logger, "info" | "warn">,
): Promise<OpenDatabase<DB>> {
  const { url, embedded } = await databaseUrl(settings, logger);
  const { dataDir, database, keepRunning, statementTimeoutMs } = settings;
  const endKeeping =
    embedded && keepRunning ? keepEmbedded(embedded, { dataDir, database, logger }) : undefined;
  try {
    const roles = await bootstrapRoles(url);
    if (roles.length > 0) logger.info({ roles }, "database roles set up");
    const migrated = await migrate(url);
    if (migrated.length > 0) logger.info({ migrated }, "database migrated");
    const pools = await openPools<DB>(url, { statementTimeoutMs, nested: nestedIn(logger) });
    return {
      pools,
      url,
      migrated,
      async stop() {
        await endKeeping?.();
        await pools.end();
        await embedded?.stop();
      },
      async release() {
        await pools.end();
        if (embedded && !embedded.adopted) await embedded.stop();
      },
    };
  } catch (error) {
    await endKeeping?.();
    if (embedded && !embedded.adopted) await embedded.stop();
    throw error;
  }
}
