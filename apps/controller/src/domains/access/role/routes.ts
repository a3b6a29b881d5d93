import {
  role,
  roleCombo,
  roleMenus,
  roleSaveDataScope,
  roleSaveMenus,
} from "@weft/contract/domains/access/role.ts";
import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import type { FastifyInstance } from "fastify";
import { menuFor } from "#domains/access/menu/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mount, requirePerson } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { assignableRoles, changeRole, getRole, roleStore } from "./store.ts";

type Draft = DraftOf<typeof role>;

/** Calls of /customer/role (specification section 6). */
export function roleRoutes(app: FastifyInstance): void {
  const hooks = {
    beforeWrite: async ({ caller }: HandlerContext, _: Draft, id: number | null) => {
      if (id === null) requirePerson(caller);
    },
  };
  mountResource(app, role, roleStore, hooks, ["combo"]);
  mount(app, roleCombo, (input, ctx) => assignableRoles(ctx, input));
  mount(app, roleMenus, async ({ roleId }, ctx) => {
    const { authorities } = await getRole(ctx, roleId);
    return { menuIds: idsOf(menuFor({ userId: 0, authorities })), authorities };
  });
  mount(app, roleSaveMenus, ({ roleId, authorities }, ctx) =>
    change(ctx, roleId, (old) => ({ ...old, authorities })),
  );
  mount(app, roleSaveDataScope, ({ roleId, dataScope, groupids }, ctx) =>
    change(ctx, roleId, (old) => ({ ...old, dataScope, groupids: groupids ?? [] })),
  );
}

const idsOf = (nodes: readonly ServerMenuNode[]): number[] =>
  nodes.flatMap((node) => [node.menuId, ...idsOf(node.children)]);

async function change(
  ctx: HandlerContext,
  roleId: number,
  to: (old: Draft) => Draft,
): Promise<null> {
  const { id, enterpriseId, ...values } = await changeRole(ctx, roleId, to);
  await ctx.audit({ resource: role.name, rowId: id, enterpriseId, ...values });
  return null;
}
