import * as calls from "@weft/contract/domains/enterprises/enterprise.ts";
import * as cascaders from "@weft/contract/domains/enterprises/enterprise-cascader.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import type { FastifyInstance } from "fastify";
import type { HandlerContext } from "#kernel/api.ts";
import { requireSetters } from "#kernel/field-setters.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource, recordWrites } from "#kernel/mount-resource.ts";
import type { WrittenRow } from "#kernel/resource-store.ts";
import { requireUnchanged, rowWithETag } from "#kernel/row-version.ts";
import { isAncestor } from "#kernel/scope.ts";
import * as settings from "./settings.ts";
import {
  enterpriseStore,
  findAll,
  getEnterprise,
  getOwnInfo,
  getStored,
  requireSameDemand,
  requireSeenParent,
} from "./store.ts";
import * as tree from "./tree.ts";

const { enterprise } = calls;
type Draft = DraftOf<typeof enterprise>;
type Row = RowOf<typeof enterprise>;

/** What a new one has unless it is set. */
const unset = {
  enterpriseType: 0,
  isAgent: false,
  passwordPolicy: "spec",
  businessType: null,
  endTime: null,
  cpeLimit: null,
  accountLimit: null,
  creditLimit: 0,
} as const satisfies Partial<Row>;

/** A draft with what stays as it is where the draft names nothing; `regions` alone gives all three parts. */
const completed = (draft: Draft, row: Partial<Row>): Draft => ({
  ...draft,
  parentId: draft.parentId ?? row.parentId ?? null,
  passwordPolicy: draft.passwordPolicy ?? row.passwordPolicy ?? null,
  creditLimit: draft.creditLimit ?? row.creditLimit ?? null,
});

async function guard(ctx: HandlerContext, draft: Draft, id: number | null): Promise<void> {
  requireSeenParent(ctx, draft.parentId);
  if (id === null) {
    // A new one is below an enterprise in the caller's scope (store).
    const now = completed(draft, unset);
    const old = { ...now, ...unset };
    await requireSetters(ctx, calls.enterpriseSetters, { old, now }, { isNew: true });
    return;
  }
  const row = await getStored(ctx, id);
  const now = completed(draft, row);
  await requireSetters(
    ctx,
    calls.enterpriseSetters,
    { old: row, now },
    { isAbove: () => isAncestor(ctx, id) },
  );
  if (now.parentId !== row.parentId && !ctx.caller.hasMfa) {
    await requireSameDemand(ctx, row.parentId, now.parentId);
  }
}

type Setting = keyof typeof calls.enterpriseSetters;

/** The same for calls that set a few fields. */
async function guardSettings(
  ctx: HandlerContext,
  id: number,
  now: Partial<Record<Setting, unknown>>,
): Promise<void> {
  const old: Partial<Record<Setting, unknown>> = await getEnterprise(ctx, id);
  const isAbove = () => isAncestor(ctx, id);
  await requireSetters(ctx, calls.enterpriseSetters, { old, now }, { isAbove });
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
    rowWithETag(ctx, await getEnterprise(ctx, groupid)),
  );
  mount(app, calls.enterpriseFindAll, (_, ctx) => findAll(ctx));
  mount(app, calls.enterpriseEditEn, async ({ groupid, enable }, ctx) => {
    await guardSettings(ctx, groupid, { enable });
    return record(ctx, settings.setEnabled(ctx, groupid, enable));
  });
  mount(app, calls.enterpriseEditConfig, async ({ groupid, nodeConfig }, ctx) => {
    await guardSettings(ctx, groupid, { nodeConfig });
    return record(ctx, settings.setNodeConfig(ctx, groupid, nodeConfig));
  });
  mount(app, calls.enterpriseEditCtg, async ({ groupid, isPush }, ctx) => {
    await guardSettings(ctx, groupid, { isPush });
    return record(ctx, settings.setPush(ctx, groupid, isPush));
  });
  mount(app, calls.cpeEditCtg, ({ cpeId, isPush }, ctx) =>
    record(ctx, settings.setCpePush(ctx, cpeId, isPush), "cpe"),
  );
  mount(app, calls.enterpriseEditStrategy, async (input, ctx) => {
    const { groupid, ...values } = input;
    await guardSettings(ctx, groupid, values);
    return record(ctx, settings.setStrategy(ctx, input));
  });
  mount(app, calls.enterpriseInfoGet, async (_, ctx) =>
    rowWithETag(ctx, await getOwnInfo(ctx, ctx.caller.enterpriseId)),
  );
  mount(app, calls.enterpriseInfoEdit, async ({ rowVersion, ...info }, ctx) => {
    const { enterpriseId: id } = ctx.caller;
    const read = () => getOwnInfo(ctx, id);
    await requireUnchanged(ctx, calls.enterpriseInfoVersions, { id, rowVersion }, read);
    await guardSettings(ctx, id, info);
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
