import { consoleNumbers } from "@weft/contract/domains/monitoring/console-numbers.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { countAll } from "./console-numbers/store.ts";
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
  (app) => mount(app, consoleNumbers, (_, ctx) => countAll(ctx)),
  metricsRoutes,
  nodeLogRoutes,
  nodeReportRoutes,
  siteOverviewRoutes,
  wallboardRoutes,
  searchRoutes,
  liveRoutes,
  installationRoutes,
];
