/** What interface lines say of the quality of WAN links: their other ends take it from no policies. */
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

/** Qualities other than that of a common line, by node and slot. */
export type LineQualities = ReadonlyMap<number, ReadonlyMap<number, number>>;

interface Row {
  readonly node: number;
  readonly slot: number;
  readonly quality: number;
}

/** An interface line of the node itself takes the place of its template's of that slot, whatever it says. */
export async function readLineQualities(
  trx: Transaction<Database>,
  nodeIds: readonly number[],
): Promise<LineQualities> {
  const ids = [...nodeIds];
  const { rows } = await sql<Row>`
    with own as (
      select node_id as node, accessposition as slot, line_quality as quality from router_interface_line
      where node_id = any(${ids}::bigint[]) and kind = 'wan'
    ), followed as (
      select template_id, version, array_agg(node_id) as nodes from router_template_node
      where node_id = any(${ids}::bigint[]) and version is not null group by template_id, version
    ), given as (
      select f.nodes, l.accessposition as slot, l.line_quality as quality
      from followed f
      join router_template_version v on v.template_id = f.template_id and v.version = f.version
      cross join jsonb_to_recordset(coalesce(v.content -> 'router_interface_line', '[]'))
        as l (kind text, accessposition smallint, line_quality smallint)
      where l.kind = 'wan' and l.line_quality > 0
    )
    select node, slot, quality from own where quality > 0
    union all
    select n.node, g.slot, g.quality from given g cross join unnest(g.nodes) as n (node)
    where not exists (select from own where own.node = n.node and own.slot = g.slot)`.execute(trx);
  const byNode = Map.groupBy(rows, ({ node }) => node);
  return new Map(
    [...byNode].map(([node, some]) => [
      node,
      new Map(some.map(({ slot, quality }) => [slot, quality])),
    ]),
  );
}
