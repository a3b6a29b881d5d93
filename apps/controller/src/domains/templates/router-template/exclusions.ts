/** CPEs that were taken out by hand: the enterprises of the template do not bring them in again. */
import { type Selectable, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";

interface Template {
  readonly id: number;
  readonly enterprise_id: number;
}

/** Of CPEs that were taken out of a template, those of its enterprises stay out. */
export async function keepOut(
  ctx: Context,
  template: Template,
  members: readonly Pick<
    Selectable<Database["router_template_node"]>,
    "node_id" | "node_enterprise_id"
  >[],
): Promise<void> {
  if (members.length === 0) return;
  await sql`
    insert into router_template_exclusion
      (enterprise_id, template_id, node_id, node_enterprise_id, created_by)
    select ${template.enterprise_id}, ${template.id}, m.node_id, m.enterprise_id, ${ctx.caller.userId}
    from unnest(${members.map(({ node_id }) => node_id)}::bigint[],
      ${members.map(({ node_enterprise_id }) => node_enterprise_id)}::bigint[])
      as m (node_id, enterprise_id)
    join router_template_target t
      on t.template_id = ${template.id} and t.target_enterprise_id = m.enterprise_id
    on conflict do nothing`.execute(ctx.db);
}

/** Who puts a CPE in by hand wants it in the template. */
export async function admitAgain(
  ctx: Context,
  template: Template,
  nodeIds: readonly number[],
): Promise<void> {
  if (nodeIds.length === 0) return;
  await sql`
    delete from router_template_exclusion
    where template_id = ${template.id} and node_id = any(${[...nodeIds]}::bigint[])`.execute(
    ctx.db,
  );
}
