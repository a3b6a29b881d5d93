import { linkList } from "@weft/contract/resources/link.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { listLinks } from "./store.ts";

/** Links are made by the loop; here they are only read. */
export function linkRoutes(app: FastifyInstance): void {
  mount(app, linkList, (query, ctx) => listLinks(ctx, query));
}
