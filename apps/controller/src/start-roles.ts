import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { OpenDatabase } from "#db/connect.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { Settings } from "./settings.ts";

export interface RunningRole {
  readonly name: "gateway" | "worker";
  /** False while it cannot serve; absent: it serves as long as it runs. */
  ready?(): boolean | Promise<boolean>;
  close(): Promise<void>;
}

interface RoleInput {
  readonly settings: Settings;
  readonly app: FastifyInstance;
  readonly database: OpenDatabase<Database>;
  readonly dataDir: string;
  readonly logger: Logger;
}

type Started = Omit<RunningRole, "name">;
interface GatewayModule {
  startGateway(input: {
    app: FastifyInstance;
    pools: Pools<Database>;
    settings: Settings;
    logger: Logger;
    dataDir: string;
  }): Promise<Started>;
}
interface WorkerModule {
  startWorker(input: { pools: Pools<Database>; url: string; logger: Logger }): Promise<Started>;
}

/** Starts the roles of this process besides the API, the worker first: it has nothing to refuse. */
export async function startRoles(input: RoleInput): Promise<RunningRole[]> {
  const { settings, app, database, dataDir, logger } = input;
  const { pools, url } = database;
  const running: RunningRole[] = [];
  try {
    if (settings.roles.has("worker")) {
      const { startWorker } = (await import("#jobs/start.ts" as string)) as WorkerModule;
      const log = logger.child({ role: "worker" });
      running.push({ name: "worker", ...(await startWorker({ pools, url, logger: log })) });
    }
    if (settings.roles.has("gateway")) {
      const { startGateway } = (await import("#gateway/start.ts" as string)) as GatewayModule;
      const log = logger.child({ role: "gateway" });
      const gateway = await startGateway({ app, pools, settings, logger: log, dataDir });
      running.push({ name: "gateway", ...gateway });
    }
    return running;
  } catch (error) {
    for (const role of running) await role.close();
    throw error;
  }
}
