import { cklogFlow, logFlow } from "@weft/contract/domains/monitoring/flow-log.ts";
import type { FastifyInstance } from "fastify";
import { mountFlows } from "./flow-routes.ts";
import { nodeLogRoutes } from "./log-routes.ts";

/** Records of flows and logs of nodes (specification sections 2.4 and 7.3). */
export function flowLogRoutes(app: FastifyInstance): void {
  mountFlows(app, logFlow);
  mountFlows(app, cklogFlow);
  nodeLogRoutes(app);
}
