import {
  routerTemplate,
  routerTemplateAllCpes,
  routerTemplateCombo,
  routerTemplateCpes,
  routerTemplateEndVisits,
  routerTemplateIssue,
  routerTemplateList,
  routerTemplateLogList,
  routerTemplatePreview,
  routerTemplateRelAdd,
  routerTemplateRelRemove,
  routerTemplateVisit,
} from "@weft/contract/domains/templates/router-template.ts";
import {
  routerTemplateTargetAdd,
  routerTemplateTargetList,
  routerTemplateTargetRemove,
} from "@weft/contract/domains/templates/template-target.ts";
import {
  routerTemplateVersionCompare,
  routerTemplateVersionList,
  routerTemplateVersionRestore,
} from "@weft/contract/domains/templates/template-version.ts";
import type { FastifyInstance } from "fastify";
import { endVisits, startVisit } from "#domains/access/session/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mount, mountInSteps } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { addedCpes, addMembers, availableCpes, removeMembers } from "./members.ts";
import { joinRollout, lockOpenRollouts } from "./open-rollout.ts";
import { previewIssue, readIssue } from "./preview.ts";
import { issueTemplates } from "./publish.ts";
import { combo, lockTemplate, requireTemplate, routerTemplateStore } from "./store.ts";
import { addTarget, listTargets, removeTarget } from "./targets.ts";
import { listLog } from "./tasks.ts";
import { compareVersions, listVersions, restoreDraft } from "./versions.ts";

const defaultSize = 10;
const unique = (ids: readonly number[]): number[] => [...new Set(ids)];

/** Calls of the template screen (specification sections 2.7 and 7.4). */
export function routerTemplateRoutes(app: FastifyInstance): void {
  mountResource(app, routerTemplate, routerTemplateStore, {}, ["list"]);
  mount(app, routerTemplateList, async ({ size, limit, templateName, ...query }, ctx) => {
    const page = await routerTemplateStore.list(ctx, {
      ...query,
      temName: query.temName ?? templateName,
      limit: size ?? limit ?? defaultSize,
    });
    return page;
  });
  mount(app, routerTemplateCombo, (_, ctx) => combo(ctx), {
    visitors: "the template screens choose among templates",
  });
  mount(app, routerTemplateIssue, async ({ templateId, fromVersion }, ctx) => {
    await issueTemplates(ctx, unique(templateId), fromVersion);
    return null;
  });
  mountInSteps(
    app,
    routerTemplatePreview,
    (query, ctx) => readIssue(ctx, query),
    (issue) => previewIssue(app.weft.pools, issue),
  );
  mount(app, routerTemplateAllCpes, async (query, ctx) =>
    availableCpes(ctx, await requireTemplate(ctx, query.templateId), query),
  );
  mount(app, routerTemplateCpes, async ({ templateId, alias }, ctx) =>
    addedCpes(ctx, await requireTemplate(ctx, templateId), alias),
  );
  mount(app, routerTemplateLogList, (query, ctx) => listLog(ctx, query));
  relationRoutes(app);
  versionRoutes(app);
  targetRoutes(app);
  visitRoutes(app);
}

/** Versions that were published, and the return to them. */
function versionRoutes(app: FastifyInstance): void {
  mount(app, routerTemplateVersionList, (query, ctx) => listVersions(ctx, query));
  mount(app, routerTemplateVersionCompare, (query, ctx) => compareVersions(ctx, query));
  mount(app, routerTemplateVersionRestore, async (input, ctx) => {
    const { template, changes } = await restoreDraft(ctx, input);
    await ctx.audit({
      resource: "routerTemplate",
      rowId: template.id,
      old: null,
      new: { templateName: template.name, version: input.version, changes },
      enterpriseId: template.enterprise_id,
    });
    return null;
  });
}

/** Enterprises whose CPEs a template includes. */
function targetRoutes(app: FastifyInstance): void {
  mount(app, routerTemplateTargetList, async ({ templateId }, ctx) =>
    listTargets(ctx, await requireTemplate(ctx, templateId)),
  );
  mount(app, routerTemplateTargetAdd, async ({ templateId, groupid }, ctx) => {
    const template = await lockTemplate(ctx, templateId);
    const cpeIds = await addTarget(ctx, template, groupid);
    await joinRollout(ctx, templateId, cpeIds);
    await ctx.audit({
      resource: "routerTemplate",
      rowId: templateId,
      old: null,
      new: { templateName: template.name, groupid, cpeIds },
      enterpriseId: template.enterprise_id,
    });
    return { added: cpeIds.length };
  });
  mount(app, routerTemplateTargetRemove, async ({ templateId, groupid }, ctx) => {
    const template = await lockTemplate(ctx, templateId);
    await removeTarget(ctx, template, groupid);
    await ctx.audit({
      resource: "routerTemplate",
      rowId: templateId,
      new: null,
      old: { templateName: template.name, groupid },
      enterpriseId: template.enterprise_id,
    });
    return null;
  });
}

const visitOptions = {
  unscopedReason: "the caller's own sessions only",
  personOnly: "a link and a key give out no links",
} as const;

/** Links for a visitor without an account (section 2.1). */
function visitRoutes(app: FastifyInstance): void {
  const record = (ctx: HandlerContext, old: object | null, now: object | null) =>
    ctx.audit({
      resource: "templateVisit",
      rowId: null,
      old,
      new: now,
      enterpriseId: ctx.caller.enterpriseId,
    });
  mount(
    app,
    routerTemplateVisit,
    async (_, ctx) => {
      const { token, end } = await startVisit(ctx);
      await record(ctx, null, { expireTime: end });
      return { token, expireTime: end };
    },
    visitOptions,
  );
  mount(
    app,
    routerTemplateEndVisits,
    async (_, ctx) => {
      const ended = await endVisits(ctx);
      await record(ctx, { links: ended }, null);
      return { ended };
    },
    visitOptions,
  );
}

function relationRoutes(app: FastifyInstance): void {
  mount(app, routerTemplateRelAdd, async ({ templateId, cpeIds }, ctx) => {
    const template = await lockTemplate(ctx, templateId);
    const added = await addMembers(ctx, template, unique(cpeIds));
    const addedIds = added.map(({ id }) => id);
    await joinRollout(ctx, templateId, addedIds);
    await ctx.audit({
      resource: "routerTemplate",
      rowId: templateId,
      old: null,
      new: { templateName: template.name, cpeIds: addedIds },
      enterpriseId: template.enterprise_id,
    });
    return null;
  });
  mount(app, routerTemplateRelRemove, async ({ templateId, cpeIds }, ctx) => {
    const template = await lockTemplate(ctx, templateId);
    await lockOpenRollouts(ctx, [templateId]);
    const removed = await removeMembers(ctx, template, unique(cpeIds));
    const ran = removed.filter(({ version }) => version !== null).map(({ node_id }) => node_id);
    await ctx.audit({
      resource: "routerTemplate",
      rowId: templateId,
      old: { templateName: template.name, cpeIds: removed.map(({ node_id }) => node_id) },
      new: null,
      enterpriseId: template.enterprise_id,
    });
    if (ran.length > 0) await ctx.change({ enterpriseId: template.enterprise_id, nodeIds: ran });
    return null;
  });
}
