import type { FastifyInstance } from "fastify";
import { branchRoutes } from "./branch/routes.ts";
import { commandRoutes } from "./command/routes.ts";
import { cpeAreaRoutes } from "./cpe-area/routes.ts";
import { dhcpReservationRoutes } from "./dhcp-reservation/routes.ts";
import { dialTaskRoutes } from "./dial-task/routes.ts";
import { dnsEntryRoutes } from "./dns-entry/routes.ts";
import { enrolmentRoutes } from "./enrolment/routes.ts";
import { firmwareTaskRoutes } from "./firmware-task/routes.ts";
import { hostLeaseRoutes } from "./host-lease/routes.ts";
import { lanSectionRoutes } from "./lan-section/routes.ts";
import { lineRoutes } from "./line/routes.ts";
import { nodeRoutes } from "./node/routes.ts";
import { nodeConfigRoutes } from "./node-config/routes.ts";
import { staticRouteRoutes } from "./static-route/routes.ts";

/** Every feature of this domain: a feature mounts nothing until its line is here. */
export const routes: readonly ((app: FastifyInstance) => void)[] = [
  nodeRoutes,
  branchRoutes,
  lineRoutes,
  lanSectionRoutes,
  staticRouteRoutes,
  enrolmentRoutes,
  commandRoutes,
  cpeAreaRoutes,
  dhcpReservationRoutes,
  dialTaskRoutes,
  dnsEntryRoutes,
  firmwareTaskRoutes,
  hostLeaseRoutes,
  nodeConfigRoutes,
];
