import { searchFind } from "@weft/contract/domains/monitoring/search.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { find } from "./store.ts";
import { wantedOf } from "./text.ts";

/** GET /customer/search/find: one text in rows of every kind. */
export function searchRoutes(app: FastifyInstance): void {
  mount(app, searchFind, async ({ text }, ctx) => {
    const wanted = wantedOf(text);
    return wanted.text === "" ? [] : find(ctx, wanted);
  });
}
