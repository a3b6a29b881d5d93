/** Proof that the worker reads every row that a state is made of. */
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

/**
 * Holds what the caller's transaction can read of a node's intent against what is there.
 * @param nodes the node and every node at the other end of one of its links
 * @throws Error naming each table of which rows are hidden: nothing may be compiled of the rest
 */
export async function requireAllIntent(
  trx: Transaction<Database>,
  nodeId: number,
  nodes: readonly number[],
): Promise<void> {
  const { rows } = await sql<{ name: string; seen: number; there: number }>`
    select name, coalesce(seen.n, 0)::int as seen, there.n::int as there
    from weft.intent_counts_whole(${nodeId}, ${[...nodes]}::bigint[]) there
    left join weft.intent_counts(${nodeId}, ${[...nodes]}::bigint[]) seen using (name)
    where there.n is distinct from seen.n`.execute(trx);
  if (rows.length === 0) return;
  const hidden = rows.map(({ name, seen, there }) => `${name} (${seen} of ${there})`).join(", ");
  throw new Error(`node ${nodeId}: rows that its state is made of are not readable: ${hidden}`);
}
