/** Rollouts in waves that are not over: what they forbid, and CPEs that come in meanwhile. */
import { openRolloutStates } from "@weft/contract/domains/templates/rollout.ts";
import { type Selectable, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";

type OpenRollout = Pick<
  Selectable<Database["template_rollout"]>,
  "id" | "template_id" | "version" | "wave" | "waves" | "state"
>;

/**
 * The rollouts of templates that are not over, locked: no step of the worker comes between. The templates
 * are locked before.
 */
export function lockOpenRollouts(
  ctx: Pick<Context, "db">,
  templateIds: readonly number[],
): Promise<OpenRollout[]> {
  return ctx.db
    .selectFrom("template_rollout")
    .select(["id", "template_id", "version", "wave", "waves", "state"])
    .where(sql<boolean>`template_id = any(${[...templateIds]}::bigint[])`)
    .where("state", "in", [...openRolloutStates])
    .orderBy("id")
    .forUpdate()
    .execute();
}

/** @throws Refusal that names the rollout which is not over */
export async function refuseWhileOpen(
  ctx: Context,
  templates: readonly { readonly id: number; readonly name: string }[],
): Promise<void> {
  const ids = templates.map(({ id }) => id);
  const [open] = await lockOpenRollouts(ctx, ids);
  if (!open) return;
  const name = templates.find(({ id }) => id === open.template_id)?.name ?? "";
  const { version, wave, waves } = open;
  refuse("notAllowedNow", {
    reason: [
      `模板“${name}”的版本 ${version} 正在分批下发（第 ${wave}/${waves} 批），先完成或回滚`,
      `version ${version} of template “${name}” is going out in waves (wave ${wave} of ${waves}); complete it or roll it back first`,
    ],
  });
}

/** CPEs that came into a template: they are of the last wave of its open rollout. */
export async function joinRollout(
  ctx: Pick<Context, "db">,
  templateId: number,
  nodeIds: readonly number[],
): Promise<void> {
  const [open] = await lockOpenRollouts(ctx, [templateId]);
  if (!open || nodeIds.length === 0) return;
  await sql`
    insert into template_rollout_node (rollout_id, enterprise_id, node_id, wave)
    select ${open.id}, m.enterprise_id, m.node_id, ${open.waves} from router_template_node m
    where m.template_id = ${templateId} and m.node_id = any(${[...nodeIds]}::bigint[])`.execute(
    ctx.db,
  );
}
