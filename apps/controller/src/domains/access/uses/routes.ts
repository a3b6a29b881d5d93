import type { Access } from "@weft/contract/access.ts";
import { usesFindAll } from "@weft/contract/domains/access/uses.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { holds } from "@weft/contract/permissions.ts";
import type { FastifyInstance } from "fastify";
import { requireAccess } from "#kernel/answer.ts";
import type { Caller } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { mountedResource } from "#kernel/mount-resource.ts";
import { refuseField } from "#kernel/refuse.ts";
import { usesOfRows } from "./store.ts";

/** What a caller lacks for the removal of rows, by either of the resource's two ways; null: none. */
function mayRemove(
  caller: Caller,
  { may, mayInstead }: Pick<AnyResource, "may" | "mayInstead">,
): Access | null {
  const needed = may.remove;
  if (needed === null || holds(caller, needed)) return null;
  return mayInstead && holds(caller, mayInstead.may) ? null : needed;
}

/** What still uses rows, for whoever may remove them. */
export function usesRoutes(app: FastifyInstance): void {
  mount(app, usesFindAll, ({ resource: name, ids }, ctx) => {
    const { resource } = mountedResource(app.weft, name) ?? refuseField("resource", "unknown");
    requireAccess(ctx.caller, mayRemove(ctx.caller, resource));
    return usesOfRows(ctx, name, ids);
  });
}
