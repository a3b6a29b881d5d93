import { usesFindAll } from "@weft/contract/domains/access/uses.ts";
import type { FastifyInstance } from "fastify";
import { requireAccess } from "#kernel/answer.ts";
import { mount } from "#kernel/mount.ts";
import { mountedResource } from "#kernel/mount-resource.ts";
import { refuseField } from "#kernel/refuse.ts";
import { mayRemove } from "./rules.ts";
import { usesOfRows } from "./store.ts";

/** What still uses rows, for whoever may remove them. */
export function usesRoutes(app: FastifyInstance): void {
  mount(app, usesFindAll, ({ resource: name, ids }, ctx) => {
    const { resource } = mountedResource(app.weft, name) ?? refuseField("resource", "unknown");
    requireAccess(ctx.caller, mayRemove(ctx.caller, resource));
    return usesOfRows(ctx, name, ids);
  });
}
