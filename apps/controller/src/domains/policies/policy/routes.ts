import * as calls from "@weft/contract/domains/policies/policy.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import type { PolicyFamily, ScopedPolicy } from "@weft/contract/kernel/policy-family.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import type { FastifyInstance } from "fastify";
import type { HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import type { ListQuery } from "#kernel/resource-store.ts";
import { ownerIn } from "#kernel/row-owner.ts";
import { initialPolicy, protocolTree } from "./choices.ts";
import { mountPolicyImport } from "./import-rows.ts";
import { rulesOf } from "./rules.ts";
import { owners, policyStore } from "./store.ts";
import { refuseUsed } from "./uses.ts";

/** Calls of the router policy objects, in templates and on nodes (specification section 7.4). */
export function policyRoutes(app: FastifyInstance): void {
  for (const family of policyFamilies) {
    mountScope(app, family, family.template);
    mountScope(app, family, family.manage);
  }
  mount(app, calls.protocolTree, (input, ctx) =>
    protocolTree(ctx, ownerIn(owners.template, input)),
  );
  mount(app, calls.nodeProtocolTree, (input, ctx) =>
    protocolTree(ctx, ownerIn(owners.manage, input)),
  );
  const initial = (input: object, ctx: HandlerContext) =>
    initialPolicy(ctx, ownerIn(owners.manage, { ...input }));
  mount(app, calls.initPolicy, initial);
  mount(app, calls.initPolicyPop, initial);
}

function mountScope(app: FastifyInstance, family: PolicyFamily, scoped: ScopedPolicy): void {
  const { resource, scope, lists } = scoped;
  const store = policyStore(family, scoped, app.weft.vault);
  const isApart = Object.keys(lists).length > 0;
  mountResource(
    app,
    resource,
    store,
    {
      ...rulesOf(family.name, owners[scope]),
      beforeRemove: (ctx, ids) => refuseUsed(ctx, family, ids),
    },
    isApart ? ["list"] : [],
  );
  mountPolicyImport(app, family, scoped, store);
  for (const [kind, list] of Object.entries(lists)) {
    mount(app, list, async (query, ctx) => {
      const listQuery = { ...query, kind } as unknown as ListQuery<AnyResource>;
      return store.list(ctx, listQuery);
    });
  }
}
