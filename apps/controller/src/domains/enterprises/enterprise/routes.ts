import * as calls from "@weft/contract/domains/enterprises/enterprise.ts";
import * as cascaders from "@weft/contract/domains/enterprises/enterprise-cascader.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { holds, type Permission } from "@weft/contract/permissions.ts";
import type { FastifyInstance } from "fastify";
import { missingPermission } from "#kernel/answer.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource, recordWrites } from "#kernel/mount-resource.ts";
import { refuseField } from "#kernel/refuse.ts";
import type { WrittenRow } from "#kernel/resource-store.ts";
import { requireUnchanged, toldRow } from "#kernel/row-version.ts";
import { isAncestor } from "#kernel/scope.ts";
import * as settings from "./settings.ts";
import { enterpriseStore, findAll, getEnterprise } from "./store.ts";
import * as tree from "./tree.ts";

const { enterprise } = calls;
type Draft = DraftOf<typeof enterprise>;
type Row = RowOf<typeof enterprise>;
type Guarded = "endTime" | "cpeLimit" | "accountLimit" | "creditLimit";

/** Fields that need a permission of their own, and a caller above the enterprise. */
const guards: Readonly<Record<Guarded, Permission>> = {
  endTime: "enterpriseEndTime",
  cpeLimit: "enterpriseBillingPerm",
  accountLimit: "enterpriseBillingPerm",
  creditLimit: "enterpriseBillingPerm",
};
const unset = { endTime: null, cpeLimit: null, accountLimit: null, creditLimit: 0 } as const;

/** What of the guarded fields a draft changes; a credit limit of null stays as it is. Pure. */
const changedOf = (draft: Draft, row: Pick<Row, Guarded>): Guarded[] =>
  (Object.keys(guards) as Guarded[]).filter((field) => {
    const wanted = field === "creditLimit" ? (draft[field] ?? row[field]) : draft[field];
    return (wanted?.valueOf() ?? null) !== (row[field]?.valueOf() ?? null);
  });

async function guard(ctx: HandlerContext, draft: Draft, id: number | null): Promise<void> {
  const row = id === null ? null : await getEnterprise(ctx, id);
  // Moving an enterprise in the tree moves who may see it, hence the permission of its own.
  const moves = row !== null && draft.parentId !== null && draft.parentId !== row.parentId;
  if (moves && !holds(ctx.caller, "enterpriseEditParent")) {
    throw missingPermission("enterpriseEditParent");
  }
  const changed = changedOf(draft, row ?? unset);
  const lacking = changed.find((field) => !holds(ctx.caller, guards[field]));
  if (lacking) throw missingPermission(guards[lacking]);
  const [first] = changed;
  // Callers cannot extend their own contract or raise their own limits.
  if (id !== null && first && !(await isAncestor(ctx, id))) refuseField(first, "notAllowed");
}

const recordAs = async (
  ctx: HandlerContext,
  resource: string,
  written: WrittenRow,
): Promise<null> => {
  await recordWrites(ctx, resource, [written]);
  return null;
};

/** Calls of /customer/enterprise and /customer/enterpriseInfo (specification section 7.2). */
export function enterpriseRoutes(app: FastifyInstance): void {
  const record = (ctx: HandlerContext, written: Promise<WrittenRow>, resource = enterprise.name) =>
    written.then((row) => recordAs(ctx, resource, row));
  mountResource(app, enterprise, enterpriseStore, { beforeWrite: guard }, ["combo"]);
  mount(app, calls.enterpriseCombo, (_, ctx) => tree.listCombo(ctx));
  mount(app, calls.enterpriseTreeList, (input, ctx) => tree.listTree(ctx, input));
  mount(app, calls.enterpriseByGroupId, async ({ groupid }, ctx) =>
    toldRow(ctx, enterprise, await getEnterprise(ctx, groupid)),
  );
  mount(app, calls.enterpriseFindAll, (_, ctx) => findAll(ctx));
  mount(app, calls.enterpriseEditEn, ({ groupid, enable }, ctx) =>
    record(ctx, settings.setEnabled(ctx, groupid, enable)),
  );
  mount(app, calls.enterpriseEditConfig, ({ groupid, nodeConfig }, ctx) =>
    record(ctx, settings.setNodeConfig(ctx, groupid, nodeConfig)),
  );
  mount(app, calls.enterpriseEditCtg, ({ groupid, isPush }, ctx) =>
    record(ctx, settings.setPush(ctx, groupid, isPush)),
  );
  mount(app, calls.cpeEditCtg, ({ cpeId, isPush }, ctx) =>
    record(ctx, settings.setCpePush(ctx, cpeId, isPush), "cpe"),
  );
  mount(app, calls.enterpriseEditStrategy, (input, ctx) =>
    record(ctx, settings.setStrategy(ctx, input)),
  );
  mount(app, calls.enterpriseInfoGet, async (_, ctx) =>
    toldRow(ctx, calls.enterpriseInfoVersions, await getEnterprise(ctx, ctx.caller.enterpriseId)),
  );
  mount(app, calls.enterpriseInfoEdit, async ({ rowVersion, ...info }, ctx) => {
    const { enterpriseId: id } = ctx.caller;
    const read = () => getEnterprise(ctx, id);
    await requireUnchanged(ctx, calls.enterpriseInfoVersions, { id, rowVersion }, read);
    return record(ctx, settings.setOwnInfo(ctx, info));
  });
  cascaderRoutes(app);
}

const unscopedReason =
  "a controller's cascader is not cut by the data scope (A-41): its own tree only";

function cascaderRoutes(app: FastifyInstance): void {
  mount(app, cascaders.enterpriseCascader, async (_, ctx) =>
    tree.untyped(await tree.cascader(ctx)),
  );
  mount(app, cascaders.enterpriseCascaderNew, (_, ctx) => tree.cascader(ctx));
  mount(
    app,
    cascaders.enterpriseCascaderAll,
    async (_, ctx) => tree.untyped(await tree.cascaderAll(ctx)),
    { unscopedReason },
  );
  mount(app, cascaders.enterpriseCascaderAllNew, (_, ctx) => tree.cascaderAll(ctx), {
    unscopedReason,
  });
}
