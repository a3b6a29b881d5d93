import { linkAdd, linkEdit, linkList, linkRemove } from "@weft/contract/domains/overlay/link.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { addLink, editLink, removeLinks } from "./settings.ts";
import { listLinks } from "./store.ts";

/** Links are placed by the loop; operators add, prefer and close some. */
export function linkRoutes(app: FastifyInstance): void {
  mount(app, linkList, (query, ctx) => listLinks(ctx, query));
  mount(app, linkAdd, async (draft, ctx) => ({ id: await addLink(ctx, draft) }));
  mount(app, linkEdit, async (input, ctx) => {
    await editLink(ctx, input);
    return null;
  });
  mount(app, linkRemove, async ({ ids }, ctx) => {
    await removeLinks(ctx, ids);
    return null;
  });
}
