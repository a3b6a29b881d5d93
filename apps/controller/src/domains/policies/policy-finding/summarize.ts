import type {
  PolicyFindingLevel,
  PolicySummary,
} from "@weft/contract/domains/policies/policy-finding.ts";
import { type RawBuilder, sql } from "kysely";
import { isBeingCompiled } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";

/**
 * For each object the nodes that it is meant for and what becomes of it there. A node counts as acting
 * only when its device confirmed a state of the version in question and no finding names the object.
 * @param meant statement giving (object_id, node_id, version, is_confirmed)
 */
export async function summarize(
  ctx: Context,
  family: string,
  level: PolicyFindingLevel,
  ids: readonly number[],
  meant: RawBuilder<unknown>,
): Promise<PolicySummary[]> {
  const { rows } = await sql<PolicySummary>`
    with meant as (${meant}), each as (
      select m.object_id, m.node_id, f.reason, f.params,
        coalesce(f.effect, case when m.is_confirmed then 'acts' else 'underway' end) as effect
      from meant m
      left join policy_finding f on f.node_id = m.node_id and f.family = ${family}
        and f.level = ${level} and f.object_id = m.object_id
        and f.template_version is not distinct from m.version
    ), reasons as (
      select object_id, reason, params, count(*)::int as nodes from each
      where reason is not null group by object_id, reason, params
    )
    select id, count(e.node_id)::int as nodes,
      count(*) filter (where e.effect = 'acts')::int as acts,
      count(*) filter (where e.effect = 'fallback')::int as fallback,
      count(*) filter (where e.effect = 'cannot')::int as cannot,
      count(*) filter (where e.effect = 'replaced')::int as replaced,
      count(*) filter (where e.effect = 'underway')::int as underway,
      coalesce((select jsonb_agg(jsonb_build_object('reason', r.reason, 'params', r.params,
          'nodes', r.nodes) order by r.nodes desc, r.reason, r.params)
        from reasons r where r.object_id = id), '[]') as reasons
    from unnest(${[...ids]}::bigint[]) with ordinality as asked (id, place)
    left join each e on e.object_id = id
    group by id, place order by place`.execute(ctx.db);
  return rows;
}

/**
 * Whether a device confirmed the newest state of a node, and nothing of it waits to become one. After a restore states of
 * earlier epochs are still there: what a device confirmed then says nothing of now.
 */
export const isConfirmed = sql`(not ${isBeingCompiled(sql`n.id`)}
  and coalesce('confirmed' = (select s.outcome from node_state s where s.node_id = n.id
    order by s.epoch desc, s.serial desc limit 1), false))`;
