import type { FastifyInstance } from "fastify";
import { aclRuleRoutes } from "./acl-rule/routes.ts";
import { applicationRoutes } from "./applications/routes.ts";
import { blacklistRoutes } from "./blacklist/routes.ts";
import { enterpriseGroupRoutes } from "./enterprise-groups/routes.ts";
import { policyRoutes } from "./policy/routes.ts";
import { policyFindingRoutes } from "./policy-finding/routes.ts";
import { policyHitRoutes } from "./policy-hits/routes.ts";
import { saasGroupRoutes } from "./saas-group/routes.ts";
import { xwanSpeedRoutes } from "./xwan-speed/routes.ts";

/** Every feature of this domain: a feature mounts nothing until its line is here. */
export const routes: readonly ((app: FastifyInstance) => void)[] = [
  applicationRoutes,
  enterpriseGroupRoutes,
  xwanSpeedRoutes,
  saasGroupRoutes,
  policyRoutes,
  policyFindingRoutes,
  policyHitRoutes,
  aclRuleRoutes,
  blacklistRoutes,
];
