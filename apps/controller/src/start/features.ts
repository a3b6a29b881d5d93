import type { FastifyInstance } from "fastify";
import { routes as access } from "#domains/access/routes.ts";
import { routes as delivery } from "#domains/delivery/routes.ts";
import { routes as devices } from "#domains/devices/routes.ts";
import { routes as enterprises } from "#domains/enterprises/routes.ts";
import { routes as mobile } from "#domains/mobile/routes.ts";
import { routes as monitoring } from "#domains/monitoring/routes.ts";
import { routes as notifications } from "#domains/notifications/routes.ts";
import { routes as overlay } from "#domains/overlay/routes.ts";
import { routes as policies } from "#domains/policies/routes.ts";
import { routes as templates } from "#domains/templates/routes.ts";

/** Every feature of the API, by domain. */
export const featureRoutes: readonly ((app: FastifyInstance) => void)[] = [
  ...access,
  ...delivery,
  ...devices,
  ...enterprises,
  ...mobile,
  ...monitoring,
  ...notifications,
  ...overlay,
  ...policies,
  ...templates,
];
