import { sql } from "kysely";
import { holderNames } from "#domains/enterprises/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";

/**
 * The caller has the node's row locked "for update": nothing that refers to it is being written.
 *
 * What belongs to its enterprise keeps a node there: the refusal names all of it. A node without
 * any moves, with its cards.
 * @param to the enterprise that the node is to be of.
 */
export async function refuseMove(
  ctx: Context,
  node: { readonly id: number; readonly name: string; readonly enterprise_id: number },
  to: number,
): Promise<void> {
  if (node.enterprise_id === to) return;
  const { rows } = await sql<{ table: string }>`
    select name as table from weft.tables_in_the_way(${node.id}) name
    union all select name from weft.choices_in_the_way(${node.id}, ${to}) name`.execute(ctx.db);
  if (rows.length === 0) return;
  refuse("staysInEnterprise", {
    name: node.name,
    what: holderNames(rows.map(({ table }) => table)),
  });
}
