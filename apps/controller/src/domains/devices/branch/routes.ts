import { branch } from "@weft/contract/domains/devices/branch.ts";
import type { FastifyInstance } from "fastify";
import { mountResource } from "#kernel/mount-resource.ts";
import { branchStore } from "./store.ts";

/** Calls of /customer/branch. */
export function branchRoutes(app: FastifyInstance): void {
  mountResource(app, branch, branchStore);
}
