import type { CountedFamily } from "@weft/contract/domains/policies/policy-hits.ts";
import { type RawBuilder, sql } from "kysely";
import { tableOf } from "#domains/policies/policy/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

/** Objects of a list, and the devices that count what they fit: as far as the caller sees both. */
export interface CountedObjects {
  readonly ids: ReadonlySet<number>;
  readonly nodeIds: readonly number[];
}

/** Statement giving (object_id, enterprise_id, node_id) of the requested objects, a row for each of their nodes. */
const placesOf = (family: CountedFamily, ids: readonly number[]): RawBuilder<unknown> => {
  if (family === "xaclrules")
    return sql`
      select o.id as object_id, o.enterprise_id, o.node_id from acl_rule o
      where o.id = any(${[...ids]}::bigint[])`;
  if (family === "blacklist")
    return sql`
      select o.id as object_id, o.enterprise_id, t.node_id
      from blacklist o left join (
        select entry_id, node_id from blacklist_target where entry_id = any(${[...ids]}::bigint[])
      ) t on t.entry_id = o.id
      where o.id = any(${[...ids]}::bigint[])`;
  return sql`
    select o.id as object_id, o.enterprise_id, coalesce(o.node_id, m.node_id) as node_id
    from ${sql.table(tableOf(family))} o
      left join router_template_node m on m.template_id = o.template_id
    where o.id = any(${[...ids]}::bigint[])`;
};

export async function countedObjects(
  ctx: Context,
  family: CountedFamily,
  ids: readonly number[],
): Promise<CountedObjects> {
  const { rows } = await sql<{ ids: number[]; nodes: number[] }>`
    with place as (${placesOf(family, ids)})
    select coalesce(array_agg(distinct p.object_id), '{}') as ids,
      coalesce(array_agg(distinct n.id) filter (where n.id is not null), '{}') as nodes
    from place p
      left join node n on n.id = p.node_id and ${inCallerScope(ctx, "n.enterprise_id")}
    where ${inCallerScope(ctx, "p.enterprise_id")}`.execute(ctx.db);
  return {
    ids: new Set((rows[0]?.ids ?? []).map(Number)),
    nodeIds: (rows[0]?.nodes ?? []).map(Number),
  };
}
