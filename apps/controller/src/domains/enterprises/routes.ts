import { configItem } from "@weft/contract/domains/enterprises/config-item.ts";
import type { FastifyInstance } from "fastify";
import { mountResource } from "#kernel/mount-resource.ts";
import { brandRoutes } from "./brand/routes.ts";
import { companyAuditRoutes } from "./company-audit/routes.ts";
import { configItemStore } from "./config-item/store.ts";
import { enterpriseRoutes } from "./enterprise/routes.ts";
import { ledgerRoutes } from "./ledger/routes.ts";
import { paramConfigRoutes } from "./param-config/routes.ts";

/** Every feature of this domain: a feature mounts nothing until its line is here. */
export const routes: readonly ((app: FastifyInstance) => void)[] = [
  enterpriseRoutes,
  ledgerRoutes,
  brandRoutes,
  companyAuditRoutes,
  (app) => mountResource(app, configItem, configItemStore),
  paramConfigRoutes,
];
