import { line } from "@weft/contract/domains/devices/line.ts";
import type { FastifyInstance } from "fastify";
import { mountResource } from "#kernel/mount-resource.ts";
import { lineStore } from "./store.ts";

/** WAN lines of CPEs and POPs. */
export function lineRoutes(app: FastifyInstance): void {
  mountResource(app, line, lineStore);
}
