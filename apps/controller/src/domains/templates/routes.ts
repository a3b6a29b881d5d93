import type { FastifyInstance } from "fastify";
import { rolloutRoutes } from "./rollout/routes.ts";
import { routerTemplateRoutes } from "./router-template/routes.ts";

/** Every feature of this domain: a feature mounts nothing until its line is here. */
export const routes: readonly ((app: FastifyInstance) => void)[] = [
  routerTemplateRoutes,
  rolloutRoutes,
];
