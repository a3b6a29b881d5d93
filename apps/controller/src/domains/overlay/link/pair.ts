import { type RawBuilder, type SqlBool, sql } from "kysely";

/**
 * True where a row of `link_choice` is about the two lines of a row of `link`, whichever end calls:
 * settings have the lower node first. Both must be of one space.
 * @param link alias of the link in the statement
 * @param settings alias of the row of `link_choice`
 */
export function isOfPair(link: string, settings: string): RawBuilder<SqlBool> {
  const of = (alias: string, column: string) => sql.ref(`${alias}.${column}`);
  const [a, b] = [of(link, "a_node_id"), of(link, "b_node_id")];
  const [aSlot, bSlot] = [of(link, "a_slot"), of(link, "b_slot")];
  return sql<SqlBool>`(
    ${of(settings, "a_node_id")} = least(${a}, ${b})
    and ${of(settings, "b_node_id")} = greatest(${a}, ${b})
    and ${of(settings, "a_slot")} = case when ${a} < ${b} then ${aSlot} else ${bSlot} end
    and ${of(settings, "b_slot")} = case when ${a} < ${b} then ${bSlot} else ${aSlot} end)`;
}
