import type { Logger } from "pino";
import { type EmbeddedServer, openEmbedded } from "./embedded/open.ts";
import { migrate } from "./migrate.ts";
import { openPools, type Pools } from "./pool.ts";
import { bootstrapRoles } from "./roles.ts";

export interface DatabaseSettings {
  /** WEFT_DATABASE_URL: a login that owns the database and may make roles. */
  readonly databaseUrl?: string | undefined;
  /** WEFT_DATA, where the embedded server keeps its files. */
  readonly dataDir: string;
  /** Database inside the embedded server; `weft` if absent. The demonstration has its own. */
  readonly database?: string | undefined;
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
  if (settings.databaseUrl) return { url: settings.databaseUrl, embedded: undefined };
  const { dataDir, database } = settings;
  const embedded = await openEmbedded({ dataDir, database, logger });
  return { url: embedded.url, embedded };
}

/**
 * Opens the database ready for use: server, roles, migrations, pools.
 * @throws Error in words for the operator; an embedded server started on the way is ended.
 */
export async function openDatabase<DB>(
  settings: DatabaseSettings,
  logger: Pick<Logger, "info" | "warn">,
): Promise<OpenDatabase<DB>> {
  const { url, embedded } = await databaseUrl(settings, logger);
  try {
    const roles = await bootstrapRoles(url);
    if (roles.length > 0) logger.info({ roles }, "database roles set up");
    const migrated = await migrate(url);
    if (migrated.length > 0) logger.info({ migrated }, "database migrated");
    const pools = await openPools<DB>(url);
    return {
      pools,
      url,
      migrated,
      async stop() {
        await pools.end();
        await embedded?.stop();
      },
      async release() {
        await pools.end();
        if (embedded && !embedded.adopted) await embedded.stop();
      },
    };
  } catch (error) {
    if (embedded && !embedded.adopted) await embedded.stop();
    throw error;
  }
}
