import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { OpenDatabase } from "#db/connect.ts";
import type { Database } from "#db/schema.ts";
import { startGateway } from "#gateway/start.ts";
import { startWorker } from "#jobs/start.ts";
import type { Measures } from "#metrics-store/open.ts";
import type { ListenerBounds } from "#plugins/descriptors.ts";
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
  readonly measures: Measures;
  readonly bounds: { readonly edge: ListenerBounds };
}

/** Starts the roles of this process besides the API, the worker first: it has nothing to refuse. */
export async function startRoles(input: RoleInput): Promise<RunningRole[]> {
  const { settings, app, database, dataDir, logger, measures } = input;
  const { pools } = database;
  const running: RunningRole[] = [];
  try {
    if (settings.roles.has("worker")) {
      const log = logger.child({ role: "worker" });
      const { loginLogDays } = settings;
      const messages = settings;
      const worker = await startWorker({
        pools,
        logger: log,
        loginLogDays,
        messages,
        vault: app.weft.vault,
        measures: measures.store,
      });
      running.push({ name: "worker", ...worker });
    }
    if (settings.roles.has("gateway")) {
      const log = logger.child({ role: "gateway" });
      const gateway = await startGateway({
        app,
        pools,
        settings,
        logger: log,
        dataDir,
        bounds: input.bounds.edge,
        intake: measures.intake,
        flows: measures.flows,
      });
      running.push({ name: "gateway", ...gateway });
    }
    return running;
  } catch (error) {
    for (const role of running) await role.close();
    throw error;
  }
}
