import {
  ipgroup,
  ipgroupByGroupId,
  ipgroupListNoPage,
  ipgroupPreview,
  ipgroupUses,
} from "@weft/contract/domains/policies/enterprise-ip-group.ts";
import {
  urlgroup,
  urlgroupPreview,
  urlgroupUses,
} from "@weft/contract/domains/policies/enterprise-url-group.ts";
import type { FastifyInstance } from "fastify";
import type { HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import {
  type GroupTable,
  ipGroupsOf,
  ipgroupStore,
  nodesOfGroups,
  readableIpGroups,
  urlgroupStore,
  usersOfDraft,
  usesOfGroups,
} from "./store.ts";

/** Leaves a change for the nodes that have groups with the names of these. */
async function notifyNodes(ctx: HandlerContext, table: GroupTable, ids: readonly number[]) {
  for (const { enterprise_id, node_ids } of await nodesOfGroups(ctx, table, ids))
    await ctx.change({ enterpriseId: enterprise_id, nodeIds: node_ids });
}

/** What has the name before a write or removal, and what has it after it. */
const notifying = (table: GroupTable) => ({
  async beforeWrite(ctx: HandlerContext, _: unknown, id: number | null) {
    if (id !== null) await notifyNodes(ctx, table, [id]);
  },
  async beforeRemove(ctx: HandlerContext, ids: readonly number[]) {
    await notifyNodes(ctx, table, ids);
  },
  async afterWrite(ctx: HandlerContext, row: { readonly id: number; readonly new: unknown }) {
    if (row.new !== null) await notifyNodes(ctx, table, [row.id]);
  },
});

/** Calls of /customer/ipgroup and /customer/urlgroup (specification section 7.2). */
export function enterpriseGroupRoutes(app: FastifyInstance): void {
  mountResource(app, ipgroup, ipgroupStore, notifying("enterprise_ipgroup"));
  mountResource(app, urlgroup, urlgroupStore, notifying("enterprise_urlgroup"));
  mount(app, ipgroupUses, ({ ids }, ctx) => usesOfGroups(ctx, "enterprise_ipgroup", ids));
  mount(app, urlgroupUses, ({ ids }, ctx) => usesOfGroups(ctx, "enterprise_urlgroup", ids));
  mount(app, ipgroupPreview, (draft, ctx) => usersOfDraft(ctx, "enterprise_ipgroup", draft));
  mount(app, urlgroupPreview, (draft, ctx) => usersOfDraft(ctx, "enterprise_urlgroup", draft));
  mount(app, ipgroupListNoPage, (_, ctx) => readableIpGroups(ctx));
  mount(app, ipgroupByGroupId, ({ enterpriseId }, ctx) => ipGroupsOf(ctx, enterpriseId));
}
