import { cug } from "@weft/contract/domains/overlay/cug.ts";
import type { FastifyInstance } from "fastify";
import { mountResource } from "#kernel/mount-resource.ts";
import { circuitRoutes } from "./circuit/routes.ts";
import { cugStore } from "./cug/store.ts";
import { linkRoutes } from "./link/routes.ts";
import { linkPathRoutes } from "./link-path/routes.ts";
import { netSpaceRoutes } from "./net-space/routes.ts";
import { popStrategyRoutes } from "./pop-strategy/routes.ts";
import { routeNoticeRoutes } from "./route-notice/routes.ts";
import { segmentRouteRoutes } from "./segment-route/routes.ts";
import { topologyRoutes } from "./topology/routes.ts";
import { trafficClassRoutes } from "./traffic-class/routes.ts";
import { vbrNodeRoutes } from "./vbr-node/routes.ts";

/** Every feature of this domain: a feature mounts nothing until its line is here. */
export const routes: readonly ((app: FastifyInstance) => void)[] = [
  popStrategyRoutes,
  vbrNodeRoutes,
  segmentRouteRoutes,
  routeNoticeRoutes,
  netSpaceRoutes,
  linkRoutes,
  linkPathRoutes,
  topologyRoutes,
  circuitRoutes,
  (app) => mountResource(app, cug, cugStore),
  trafficClassRoutes,
];
