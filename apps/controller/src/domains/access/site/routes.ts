import { apiConfig, apiJxConfig } from "@weft/contract/domains/access/login.ts";
import type { FastifyInstance } from "fastify";
import { mountOpen } from "#kernel/mount.ts";
import { siteConfig } from "./store.ts";

/** What the login page asks before anyone is logged in (specification section 7.1). */
export function siteRoutes(app: FastifyInstance): void {
  mountOpen(app, apiConfig, (input, facts) => siteConfig(app.weft, input, facts));
  mountOpen(app, apiJxConfig, (input, facts) => siteConfig(app.weft, input, facts));
}
