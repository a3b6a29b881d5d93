import { cklogFlow, logFlow } from "@weft/contract/domains/monitoring/flow-log.ts";
import type { FastifyInstance } from "fastify";
import { mountFlows } from "./flow-routes.ts";
import { mountNodeLogs } from "./log-routes.ts";

/** Records of flows and logs of nodes (specification sections 2.4 and 7.3). */
export function nodeLogRoutes(app: FastifyInstance): void {
  mountFlows(app, logFlow);
  mountFlows(app, cklogFlow);
  mountNodeLogs(app);
}
