import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { holds } from "@weft/contract/permissions.ts";
import {
  enterprise,
  enterpriseByGroupId,
  enterpriseCombo,
  enterpriseEditEn,
  enterpriseTreeList,
} from "@weft/contract/resources/enterprise.ts";
import type { FastifyInstance } from "fastify";
import { missingPermission } from "#kernel/answer.ts";
import type { Context } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { enterpriseStore, getEnterprise, listCombo, listTree, setEnabled } from "./store.ts";

/** Moving an enterprise in the tree moves who may see it, hence the permission of its own. */
async function mayMove(
  ctx: Context,
  { parentId }: DraftOf<typeof enterprise>,
  id: number | null,
): Promise<void> {
  if (id === null || parentId === null) return;
  const moves = (await getEnterprise(ctx, id)).parentId !== parentId;
  if (moves && !holds(ctx.caller, "enterpriseEditParent")) {
    throw missingPermission("enterpriseEditParent");
  }
}

/** Calls of /customer/enterprise (specification section 7.2). */
export function enterpriseRoutes(app: FastifyInstance): void {
  mountResource(app, enterprise, enterpriseStore, { beforeWrite: mayMove }, ["combo"]);
  mount(app, enterpriseCombo, (_, ctx) => listCombo(ctx));
  mount(app, enterpriseTreeList, (input, ctx) => listTree(ctx, input));
  mount(app, enterpriseByGroupId, ({ groupid }, ctx) => getEnterprise(ctx, groupid));
  mount(app, enterpriseEditEn, async ({ groupid, enable }, ctx) => {
    const { id, enterpriseId, ...values } = await setEnabled(ctx, groupid, enable);
    await ctx.audit({ resource: enterprise.name, rowId: id, enterpriseId, ...values });
    return null;
  });
}
