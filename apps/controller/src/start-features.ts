import type { FastifyInstance } from "fastify";
import { apiKeyRoutes } from "#features/api-key/routes.ts";
import { consoleNumbersRoutes } from "#features/console-numbers/routes.ts";
import { demonstrationRoutes } from "#features/demonstration/routes.ts";
import { enrolmentRoutes } from "#features/enrolment/routes.ts";
import { enterpriseRoutes } from "#features/enterprise/routes.ts";
import { historyRoutes } from "#features/history/routes.ts";
import { lanSectionRoutes } from "#features/lan-section/routes.ts";
import { lineRoutes } from "#features/line/routes.ts";
import { linkRoutes } from "#features/link/routes.ts";
import { loopRoutes } from "#features/loop/routes.ts";
import { measureRoutes } from "#features/measure/routes.ts";
import { messageRoutes } from "#features/message/routes.ts";
import { netSpaceRoutes } from "#features/net-space/routes.ts";
import { nodeRoutes } from "#features/node/routes.ts";
import { recordRoutes } from "#features/record/routes.ts";
import { roleRoutes } from "#features/role/routes.ts";
import { factorRoutes } from "#features/session/factor-routes.ts";
import { sessionRoutes } from "#features/session/routes.ts";
import { siteRoutes } from "#features/site/routes.ts";
import { staticRouteRoutes } from "#features/static-route/routes.ts";
import { userRoutes } from "#features/user/routes.ts";

/** Every feature of the API: a feature mounts nothing until its line stands here. */
export const featureRoutes: readonly ((app: FastifyInstance) => void)[] = [
  sessionRoutes,
  siteRoutes,
  factorRoutes,
  messageRoutes,
  enterpriseRoutes,
  consoleNumbersRoutes,
  demonstrationRoutes,
  nodeRoutes,
  lineRoutes,
  lanSectionRoutes,
  staticRouteRoutes,
  netSpaceRoutes,
  linkRoutes,
  enrolmentRoutes,
  loopRoutes,
  historyRoutes,
  userRoutes,
  roleRoutes,
  apiKeyRoutes,
  recordRoutes,
  measureRoutes,
];
