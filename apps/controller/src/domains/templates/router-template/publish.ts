/** Issue: a template's draft becomes a numbered version that its CPEs follow. */
import { sql } from "kysely";
import { cancelIssueTasks, openIssueTasks } from "#domains/delivery/lifecycle/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import { contentOf } from "./content.ts";
import { requireAllInScope } from "./members.ts";
import { refuseWhileOpen } from "./open-rollout.ts";
import { lockTemplates, type TemplateRow } from "./store.ts";

const empty = (name: string) =>
  ({
    reason: [`模板“${name}”中没有 CPE`, `template “${name}” has no CPEs`],
  }) as const;

/**
 * Freezes what templates hold as their next versions, which no CPE follows yet.
 * @param from version of one template that is frozen again in place of what it holds; null: none
 * @throws Refusal when one is not the caller's, has no CPE, or has one that is not the caller's, or while
 * an earlier version of one goes out in waves
 */
export async function freezeVersions(ctx: Context, ids: readonly number[], from: number | null) {
  if (from !== null && ids.length > 1) refuseField("fromVersion", "notAllowed");
  const templates = await lockTemplates(ctx, ids);
  if (templates.length !== ids.length) refuse("notFound");
  await refuseWhileOpen(ctx, templates);
  const members = Map.groupBy(await requireAllInScope(ctx, ids), ({ template_id }) => template_id);
  const frozen = [];
  for (const template of templates) {
    const member = members.get(template.id) ?? refuse("notAllowedNow", empty(template.name));
    frozen.push({ template, members: member, version: await freeze(ctx, template, from) });
  }
  return frozen;
}

/** Issues templates to all of their CPEs at the same time, all of them or none. */
export async function issueTemplates(
  ctx: Context,
  ids: readonly number[],
  from: number | null,
): Promise<void> {
  for (const { template, members: own, version } of await freezeVersions(ctx, ids, from)) {
    const nodeIds = own.map(({ node_id }) => node_id);
    await cancelIssueTasks(ctx.db, nodeIds);
    await ctx.db
      .updateTable("router_template_node")
      .set({ version })
      .where("template_id", "=", template.id)
      .execute();
    await openIssueTasks(ctx.db, own, {
      templateId: template.id,
      name: template.name,
      version,
      createdBy: ctx.caller.userId,
    });
    await ctx.audit({
      resource: "routerTemplate",
      rowId: template.id,
      old: { templateName: template.name, version: template.version },
      new: {
        templateName: template.name,
        version,
        ...(from && { fromVersion: from }),
        cpeIds: nodeIds,
      },
      enterpriseId: template.enterprise_id,
    });
    await ctx.change({ enterpriseId: template.enterprise_id, nodeIds });
  }
}

/** Writes what the template holds now, or a past version, as its next version; gives its number. */
async function freeze(ctx: Context, template: TemplateRow, from: number | null): Promise<number> {
  const version = template.version + 1;
  const content = await contentOf(ctx, template.id, from);
  await ctx.db
    .insertInto("router_template_version")
    .values({
      enterprise_id: template.enterprise_id,
      template_id: template.id,
      version,
      content: JSON.stringify(content),
      created_by: ctx.caller.userId,
    })
    .execute();
  await ctx.db
    .updateTable("router_template")
    .set({ version, updated_at: sql`now()` })
    .where("id", "=", template.id)
    .execute();
  return version;
}
