import type { FastifyInstance } from "fastify";
import { historyRoutes } from "./history/routes.ts";
import { loopRoutes } from "./loop/routes.ts";

/** Every feature of this domain: a feature mounts nothing until its line is here. */
export const routes: readonly ((app: FastifyInstance) => void)[] = [loopRoutes, historyRoutes];
