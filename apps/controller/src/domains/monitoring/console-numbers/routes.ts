import { consoleNumbers } from "@weft/contract/domains/monitoring/console-numbers.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { countAll } from "./store.ts";

/** Counts for the workplace and the badge of the approval queue (specification section 7.1). */
export function consoleNumbersRoutes(app: FastifyInstance): void {
  mount(app, consoleNumbers, (_, ctx) => countAll(ctx));
}
