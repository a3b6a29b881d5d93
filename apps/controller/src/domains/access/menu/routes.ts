import { menuTree } from "@weft/contract/domains/access/session.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { menuFor } from "./public.ts";

/** The menu on its own (specification section 2.3). */
export function menuRoutes(app: FastifyInstance): void {
  mount(app, menuTree, async (_, { caller }) => menuFor(caller));
}
