import type { FastifyInstance } from "fastify";
import { clientConfigRoutes } from "./client-config/routes.ts";
import { mobileAccountRoutes } from "./mobile-account/routes.ts";

/** Every feature of this domain: a feature mounts nothing until its line is here. */
export const routes: readonly ((app: FastifyInstance) => void)[] = [
  mobileAccountRoutes,
  clientConfigRoutes,
];
