import { configItem } from "@weft/contract/domains/enterprises/config-item.ts";
import type { FastifyInstance } from "fastify";
import { mountResource } from "#kernel/mount-resource.ts";
import { configItemStore } from "./store.ts";

/** Calls of /customer/configList (specification section 2.3, /system/configList). */
export function configItemRoutes(app: FastifyInstance): void {
  mountResource(app, configItem, configItemStore);
}
