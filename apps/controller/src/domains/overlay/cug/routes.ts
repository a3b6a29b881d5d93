import { cug } from "@weft/contract/domains/overlay/cug.ts";
import type { FastifyInstance } from "fastify";
import { mountResource } from "#kernel/mount-resource.ts";
import { cugStore } from "./store.ts";

/** Calls of /customer/cug. */
export function cugRoutes(app: FastifyInstance): void {
  mountResource(app, cug, cugStore);
}
