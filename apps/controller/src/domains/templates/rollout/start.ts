/** Publishes templates in waves. */
import type { routerTemplateRolloutStart } from "@weft/contract/domains/templates/rollout.ts";
import { type WavePlan, waveCounts } from "@weft/contract/domains/templates/wave-plan.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { freezeVersions } from "#domains/templates/router-template/public.ts";
import type { Context } from "#kernel/api.ts";

/**
 * Freezes the next versions and divides the CPEs into waves; the worker starts the first ones. All of the
 * templates or none.
 */
export async function startRollouts(
  ctx: Context,
  { templateId, fromVersion, ...plan }: InputOf<typeof routerTemplateRolloutStart>,
): Promise<number[]> {
  const ids: number[] = [];
  const frozen = await freezeVersions(ctx, [...new Set(templateId)], fromVersion);
  for (const { template, members, version } of frozen) {
    const counts = waveCounts(plan.waves, members.length);
    const { enterprise_id: enterpriseId } = template;
    const { id } = await ctx.db
      .insertInto("template_rollout")
      .values({
        enterprise_id: enterpriseId,
        template_id: template.id,
        version,
        waves: counts.length,
        ...columnsOf(plan),
        login_name: ctx.caller.loginName,
        created_by: ctx.caller.userId,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const nodeIds = members.map(({ node_id }) => node_id);
    await insertMembers(ctx, { id, enterpriseId }, nodeIds, counts);
    await ctx.audit({
      resource: "routerTemplate",
      rowId: template.id,
      enterpriseId,
      old: { templateName: template.name, version: template.version },
      new: {
        templateName: template.name,
        version,
        ...plan,
        cpeIds: nodeIds,
        ...(fromVersion && { fromVersion }),
      },
    });
    ids.push(id);
  }
  return ids;
}

const columnsOf = (plan: WavePlan) => ({
  sizes: sql<string[]>`${plan.waves}::text[]`,
  soak_s: plan.soak,
  grace_s: plan.grace,
  ask_each: plan.askEach,
  loss_limit: plan.lossLimit,
  contact_gate: plan.contactGate,
  link_gate: plan.linkGate,
  finding_gate: plan.findingGate,
});

/** CPEs whose devices are in contact come first: the first waves are to prove something. */
async function insertMembers(
  ctx: Context,
  rollout: { readonly id: number; readonly enterpriseId: number },
  nodeIds: readonly number[],
  counts: readonly number[],
): Promise<void> {
  const waves = counts.flatMap((count, at) => Array.from({ length: count }, () => at + 1));
  await sql`
    insert into template_rollout_node (rollout_id, enterprise_id, node_id, wave)
    select ${rollout.id}, ${rollout.enterpriseId}, n.id, (${waves}::int[])[n.place]
    from (
      select m.id, row_number() over (order by coalesce(s.online, false) desc, m.id) as place
      from unnest(${[...nodeIds]}::bigint[]) as m (id)
      left join node_status s on s.node_id = m.id) n`.execute(ctx.db);
}
