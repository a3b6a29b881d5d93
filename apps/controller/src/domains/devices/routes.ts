import { branch } from "@weft/contract/domains/devices/branch.ts";
import { cpeLeases } from "@weft/contract/domains/devices/host-lease.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { refuse } from "#kernel/refuse.ts";
import { branchStore } from "./branch/store.ts";
import { commandRoutes } from "./command/routes.ts";
import { cpeAreaRoutes } from "./cpe-area/routes.ts";
import { dhcpReservationRoutes } from "./dhcp-reservation/routes.ts";
import { dialTaskRoutes } from "./dial-task/routes.ts";
import { dnsEntryRoutes } from "./dns-entry/routes.ts";
import { enrolmentRoutes } from "./enrolment/routes.ts";
import { firmwareTaskRoutes } from "./firmware-task/routes.ts";
import { readLeases } from "./host-lease/store.ts";
import { lanSectionRoutes } from "./lan-section/routes.ts";
import { lineRoutes } from "./line/routes.ts";
import { nodeRoutes } from "./node/routes.ts";
import { nodeConfigRoutes } from "./node-config/routes.ts";
import { staticRouteRoutes } from "./static-route/routes.ts";

/** Every feature of this domain: a feature mounts nothing until its line is here. */
export const routes: readonly ((app: FastifyInstance) => void)[] = [
  nodeRoutes,
  (app) => mountResource(app, branch, branchStore),
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
  (app) =>
    mount(app, cpeLeases, async ({ id }, ctx) => (await readLeases(ctx, id)) ?? refuse("notFound")),
  nodeConfigRoutes,
];
