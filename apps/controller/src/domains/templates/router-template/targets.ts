/** Enterprises whose CPEs a template includes, those of later as well. */
import type { routerTemplateTargetList } from "@weft/contract/domains/templates/template-target.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import { inCallerScope, requireEnterprise } from "#kernel/scope.ts";
import { addMembers, below, type Template } from "./members.ts";

type Target = OutputOf<typeof routerTemplateTargetList>[number];

/** In the order in which they were included. CPEs are counted as far as the caller sees them. */
export async function listTargets(ctx: Context, { id }: Template): Promise<Target[]> {
  const { rows } = await sql<Target>`
    select t.target_enterprise_id as groupid, coalesce(e.name, '') as "enterpriseName",
      count(n.id)::int as cpes, count(n.id) filter (where m.template_id = ${id})::int as members,
      count(n.id) filter (where m.template_id <> ${id})::int as elsewhere,
      count(x.node_id) filter (where m.node_id is null)::int as excluded,
      t.created_at as "createTime", u.login_name as "createBy"
    from router_template_target t
    left join enterprise e on e.id = t.target_enterprise_id
    left join sys_user u on u.id = t.created_by
    left join node n on n.enterprise_id = t.target_enterprise_id and n.kind = 'cpe'
      and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
    left join router_template_node m on m.node_id = n.id
    left join router_template_exclusion x on x.template_id = t.template_id and x.node_id = n.id
    where t.template_id = ${id}
    group by t.target_enterprise_id, e.name, t.created_at, u.login_name
    order by t.created_at, t.target_enterprise_id`.execute(ctx.db);
  return rows;
}

/**
 * Takes an enterprise in, with its CPEs that are in no template; gives their ids. Refuses one that the template does
 * not serve, one of another template, and a caller who sees their own rows only: later CPEs would be out of sight.
 */
export async function addTarget(
  ctx: Context,
  template: Template,
  groupid: number,
): Promise<number[]> {
  await requireEnterprise(ctx, groupid, "groupid");
  await requireServed(ctx, template, groupid);
  const { scope, userId } = ctx.caller;
  if (scope.kind === "enterprises" && scope.ownOnly) {
    refuse("notAllowedNow", {
      reason: [
        "数据范围仅限本人，不能纳入整个企业",
        "your data scope is your own data, and an enterprise is more",
      ],
    });
  }
  const { rows } = await sql`
    insert into router_template_target (enterprise_id, template_id, target_enterprise_id, created_by)
    values (${template.enterprise_id}, ${template.id}, ${groupid}, ${userId})
    on conflict do nothing returning 1`.execute(ctx.db);
  if (rows.length === 0) return refuseTarget(ctx, groupid);
  return takeFree(ctx, template, groupid);
}

/** CPEs of the enterprise that are in no template, also not in one that the caller does not see. */
async function takeFree(ctx: Context, template: Template, groupid: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select n.id from node n
    where n.enterprise_id = ${groupid} and n.kind = 'cpe' and not weft.is_in_template(n.id)
    order by n.id`.execute(ctx.db);
  const added = await addMembers(
    ctx,
    template,
    rows.map(({ id }) => id),
  );
  return added.map(({ id }) => id);
}

async function requireServed(ctx: Context, template: Template, groupid: number): Promise<void> {
  const { rows } = await sql`
    select 1 from enterprise
    where id = ${groupid} and id in (${below(template.enterprise_id)})`.execute(ctx.db);
  if (rows.length === 0) refuseField("groupid", "unknown");
}

/** Names the template that the enterprise is of, as far as the caller sees it. */
async function refuseTarget(ctx: Context, groupid: number): Promise<never> {
  const { rows } = await sql<{ name: string }>`
    select t.name from router_template_target r join router_template t on t.id = r.template_id
    where r.target_enterprise_id = ${groupid} and ${inCallerScope(ctx, "t.enterprise_id", "t.created_by")}`.execute(
    ctx.db,
  );
  const name = rows[0]?.name;
  const [zh, en] =
    name === undefined
      ? ["上级企业的模板", "a template of an enterprise above"]
      : [`模板“${name}”`, `template “${name}”`];
  return refuse("notAllowedNow", {
    reason: [`${zh}已自动纳入该企业的 CPE`, `${en} includes the CPEs of this enterprise already`],
  });
}

/** CPEs of later stay out; those that are in the template stay in it. */
export async function removeTarget(
  ctx: Context,
  template: Template,
  groupid: number,
): Promise<void> {
  const { rows } = await sql`
    delete from router_template_target
    where template_id = ${template.id} and target_enterprise_id = ${groupid} returning 1`.execute(
    ctx.db,
  );
  if (rows.length === 0) refuseField("groupid", "unknown");
  // Included again, the enterprise is all of its CPEs.
  await sql`
    delete from router_template_exclusion
    where template_id = ${template.id} and node_enterprise_id = ${groupid}`.execute(ctx.db);
}
