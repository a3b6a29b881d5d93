import type { FastifyInstance } from "fastify";
import { brandRoutes } from "./brand/routes.ts";
import { companyAuditRoutes } from "./company-audit/routes.ts";
import { configItemRoutes } from "./config-item/routes.ts";
import { enterpriseRoutes } from "./enterprise/routes.ts";
import { ledgerRoutes } from "./ledger/routes.ts";
import { paramConfigRoutes } from "./param-config/routes.ts";

/** Every feature of this domain: a feature mounts nothing until its line is here. */
export const routes: readonly ((app: FastifyInstance) => void)[] = [
  enterpriseRoutes,
  ledgerRoutes,
  brandRoutes,
  companyAuditRoutes,
  configItemRoutes,
  paramConfigRoutes,
];
