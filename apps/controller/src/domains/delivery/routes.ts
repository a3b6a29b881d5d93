import type { FastifyInstance } from "fastify";
import { effectivePolicyRoutes } from "./effective-policy/routes.ts";
import { historyRoutes } from "./history/routes.ts";
import { taskRoutes } from "./tasks/routes.ts";
import { traceRoutes } from "./trace/routes.ts";

/** Every feature of this domain: a feature mounts nothing until its line is here. */
export const routes: readonly ((app: FastifyInstance) => void)[] = [
  taskRoutes,
  historyRoutes,
  traceRoutes,
  effectivePolicyRoutes,
];
