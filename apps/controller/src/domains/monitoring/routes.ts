import type { FastifyInstance } from "fastify";
import { consoleNumbersRoutes } from "./console-numbers/routes.ts";
import { enterpriseOverviewRoutes } from "./enterprise-overview/routes.ts";
import { enterpriseReportRoutes } from "./enterprise-report/routes.ts";
import { installationRoutes } from "./installation/routes.ts";
import { liveRoutes } from "./live/routes.ts";
import { metricsRoutes } from "./metrics/routes.ts";
import { nodeLogRoutes } from "./node-log/routes.ts";
import { nodeReportRoutes } from "./node-report/routes.ts";
import { searchRoutes } from "./search/routes.ts";
import { siteOverviewRoutes } from "./site-overview/routes.ts";
import { wallboardRoutes } from "./wallboard/routes.ts";
import { workplaceRoutes } from "./workplace/routes.ts";

/** Every feature of this domain: a feature mounts nothing until its line is here. */
export const routes: readonly ((app: FastifyInstance) => void)[] = [
  enterpriseReportRoutes,
  enterpriseOverviewRoutes,
  workplaceRoutes,
  consoleNumbersRoutes,
  metricsRoutes,
  nodeLogRoutes,
  nodeReportRoutes,
  siteOverviewRoutes,
  wallboardRoutes,
  searchRoutes,
  liveRoutes,
  installationRoutes,
];
