import { apiKey } from "@weft/contract/domains/access/api-key.ts";
import type { FastifyInstance } from "fastify";
import type { HandlerContext } from "#kernel/api.ts";
import { mount, requirePerson } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { setETag } from "#kernel/row-version.ts";
import { addKey, apiKeyStore } from "./store.ts";

/** Keys for programs. Only people make, change and revoke them. */
export function apiKeyRoutes(app: FastifyInstance): void {
  const hooks = {
    beforeWrite: async ({ caller }: HandlerContext) => requirePerson(caller),
    beforeRemove: async ({ caller }: HandlerContext) => requirePerson(caller),
  };
  mountResource(app, apiKey, apiKeyStore, hooks, ["add"]);
  mount(
    app,
    apiKey.ops.add,
    async ({ oldPsw: _, ...draft }, ctx) => {
      const { row, key } = await addKey(ctx, draft);
      const { id, enterpriseId, old, new: now } = row;
      await ctx.audit({ resource: apiKey.name, rowId: id, enterpriseId, old, new: now });
      setETag(ctx, row);
      return { id, key };
    },
    { personOnly: "a key makes no keys" },
  );
}
