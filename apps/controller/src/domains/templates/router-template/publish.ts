/** Issue: a template's draft becomes a numbered version that its CPEs follow. */
import { sql } from "kysely";
import { cancelIssueTasks, openIssueTasks } from "#domains/delivery/lifecycle/public.ts";
import { readStoredPolicy } from "#domains/policies/merged/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { requireAllInScope } from "./members.ts";
import { lockTemplates, type TemplateRow } from "./store.ts";

const empty = (name: string) =>
  ({
    reason: [`模板“${name}”中没有 CPE`, `template “${name}” has no CPEs`],
  }) as const;

/**
 * Issues templates, all of them or none.
 * @throws Refusal when one is not the caller's, has no CPE, or has one that is not the caller's
 */
export async function issueTemplates(ctx: Context, ids: readonly number[]): Promise<void> {
  const templates = await lockTemplates(ctx, ids);
  if (templates.length !== ids.length) refuse("notFound");
  const members = Map.groupBy(await requireAllInScope(ctx, ids), ({ template_id }) => template_id);
  for (const template of templates) {
    const own = members.get(template.id) ?? refuse("notAllowedNow", empty(template.name));
    const nodeIds = own.map(({ node_id }) => node_id);
    const version = await freeze(ctx, template);
    await cancelIssueTasks(ctx.db, nodeIds);
    await ctx.db
      .updateTable("router_template_node")
      .set({ version })
      .where("template_id", "=", template.id)
      .execute();
    await openIssueTasks(ctx.db, own, {
      ...{ templateId: template.id, name: template.name, version },
      createdBy: ctx.caller.userId,
    });
    await ctx.audit({
      resource: "routerTemplate",
      rowId: template.id,
      old: { templateName: template.name, version: template.version },
      new: { templateName: template.name, version, cpeIds: nodeIds },
      enterpriseId: template.enterprise_id,
    });
    await ctx.change({ enterpriseId: template.enterprise_id, nodeIds });
  }
}

/** Writes what the template holds now as its next version; gives its number. */
async function freeze(ctx: Context, template: TemplateRow): Promise<number> {
  const version = template.version + 1;
  const content = await readStoredPolicy(ctx.db, "template_id", template.id);
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
