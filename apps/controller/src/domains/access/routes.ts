import { menuTree } from "@weft/contract/domains/access/session.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { apiKeyRoutes } from "./api-key/routes.ts";
import { batchRoutes } from "./batch/routes.ts";
import { demonstrationRoutes } from "./demonstration/routes.ts";
import { identityProviderRoutes } from "./identity-provider/routes.ts";
import { menuFor } from "./menu/public.ts";
import { recordRoutes } from "./record/routes.ts";
import { roleRoutes } from "./role/routes.ts";
import { savedColumnRoutes } from "./saved-columns/routes.ts";
import { contactRoutes } from "./session/contact-routes.ts";
import { factorRoutes } from "./session/factor-routes.ts";
import { sessionRoutes } from "./session/routes.ts";
import { sheetRoutes } from "./sheet/routes.ts";
import { siteRoutes } from "./site/routes.ts";
import { userRoutes } from "./user/routes.ts";
import { usesRoutes } from "./uses/routes.ts";

/** Every feature of this domain: a feature mounts nothing until its line is here. */
export const routes: readonly ((app: FastifyInstance) => void)[] = [
  sessionRoutes,
  siteRoutes,
  contactRoutes,
  factorRoutes,
  (app) => mount(app, menuTree, async (_, { caller }) => menuFor(caller)),
  savedColumnRoutes,
  demonstrationRoutes,
  userRoutes,
  roleRoutes,
  apiKeyRoutes,
  identityProviderRoutes,
  recordRoutes,
  batchRoutes,
  sheetRoutes,
  usesRoutes,
];
