import { linkMoveList, linkPathList } from "@weft/contract/domains/overlay/link-path.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { listMoves, listPaths } from "./store.ts";

/** What devices find of their links, and which traffic they moved. */
export function linkPathRoutes(app: FastifyInstance): void {
  mount(app, linkPathList, (query, ctx) => listPaths(ctx, query));
  mount(app, linkMoveList, (query, ctx) => listMoves(ctx, query));
}
