import type {
  nodeFindings,
  PolicySummary,
} from "@weft/contract/domains/policies/policy-finding.ts";
import type { InputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { tableOf } from "#domains/policies/policy/public.ts";
import type { Context } from "#kernel/api.ts";
import { isOwnedBy, type NamedOwner } from "#kernel/row-owner.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { isConfirmed, summarize } from "./summarize.ts";

/** Objects of a template on the CPEs that follow it and that the caller sees. */
export function summarizeTemplate(
  ctx: Context,
  templateId: number,
  family: string,
  ids: readonly number[],
): Promise<PolicySummary[]> {
  const table = tableOf(family);
  return summarize(
    ctx,
    family,
    "template",
    ids,
    sql`
      select (o.value ->> 'id')::bigint as object_id, n.id as node_id, m.version,
        ${isConfirmed} as is_confirmed
      from router_template t
      join router_template_node m on m.template_id = t.id
      join node n on n.id = m.node_id
      join router_template_version v on v.template_id = m.template_id and v.version = m.version
      cross join lateral jsonb_array_elements(v.content -> ${table}::text) o
      where t.id = ${templateId} and ${inCallerScope(ctx, "t.enterprise_id", "t.created_by")}
        and (o.value ->> 'id')::bigint = any(${[...ids]}::bigint[])`,
  );
}

/** Maximum devices whose capabilities count: those seen last. */
const maxDevices = 1_000;

/** What at least one device of a template's CPEs can; of a template without devices, of all CPEs. */
export async function listCapabilities(ctx: Context, templateId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with seen as (
      select s.capabilities, s.last_seen, m.template_id is not null as is_member
      from node n join node_status s on s.node_id = n.id
      left join router_template_node m on m.node_id = n.id and m.template_id = ${templateId}
        and exists (select from router_template t where t.id = m.template_id
          and ${inCallerScope(ctx, "t.enterprise_id", "t.created_by")})
      where n.kind = 'cpe' and jsonb_array_length(s.capabilities) > 0
        and ${inCallerScope(ctx, "n.enterprise_id")}
    ), newest as (
      select capabilities from seen
      where is_member or not exists (select from seen where is_member)
      order by last_seen desc nulls last limit ${maxDevices}
    )
    select distinct c ->> 'name' as name from newest, jsonb_array_elements(capabilities) c
    where (c ->> 'can')::boolean order by 1`.execute(ctx.db);
  return rows.map(({ name }) => name);
}

/** A node's own objects; of a node that the caller does not see there are none. */
export function summarizeNode(
  ctx: Context,
  owner: NamedOwner,
  family: string,
  ids: readonly number[],
): Promise<PolicySummary[]> {
  return summarize(
    ctx,
    family,
    "node",
    ids,
    sql`
      select o.id as object_id, n.id as node_id, null::integer as version,
        ${isConfirmed} as is_confirmed
      from ${sql.table(tableOf(family))} o join node n on n.id = o.node_id
      where o.id = any(${[...ids]}::bigint[]) and ${isOwnedBy(owner)}
        and ${inCallerScope(ctx, "n.enterprise_id")}`,
  );
}

/** What of a node is not applied as configured, worst first. */
export async function listNodeFindings(
  ctx: Context,
  owner: NamedOwner,
  { page, limit }: Pick<InputOf<typeof nodeFindings>, "page" | "limit">,
): Promise<ResultOf<typeof nodeFindings>> {
  const ofOwner = ctx.db
    .selectFrom("policy_finding")
    .where(isOwnedBy(owner))
    .where(inCallerScope(ctx, "enterprise_id"));
  const [rows, total] = await Promise.all([
    ofOwner
      .selectAll()
      .orderBy(sql`array_position(array['cannot', 'fallback', 'replaced'], effect)`)
      .orderBy("family")
      .orderBy("level")
      .orderBy("object_id")
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
    ofOwner.select(sql<number>`count(*)::int`.as("n")).executeTakeFirstOrThrow(),
  ]);
  return {
    rows: rows.map(({ family, object_id, name, level, effect, reason, params, created_at }) => ({
      id: `${family} ${level} ${object_id}`,
      family,
      objectId: object_id,
      name,
      level,
      effect,
      reason,
      params,
      createTime: created_at,
    })),
    count: total.n,
  };
}
