/** Proof that the worker reads every row that a state is made of. */
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

/** Rows that states are made of are there and cannot be read. */
export class HiddenIntent extends Error {
  /** "acl_rule (0 of 30)". */
  readonly tables: readonly string[];

  constructor(nodeIds: readonly number[], tables: readonly string[]) {
    const of = nodeIds.length === 1 ? `node ${nodeIds}` : `one of ${nodeIds.length} nodes`;
    super(`${of}: rows of its state are not readable: ${tables.join(", ")}`);
    this.tables = tables;
  }
}

/**
 * Holds what the caller's transaction can read of the intent of nodes against what is there, all of them together.
 * @param nodes these and every node at the other end of one of their links
 * @throws HiddenIntent naming each table of which rows are hidden: nothing may be compiled of the rest
 */
export async function requireAllIntent(
  trx: Transaction<Database>,
  nodeIds: readonly number[],
  nodes: readonly number[],
): Promise<void> {
  const { rows } = await sql<{ name: string; seen: number; there: number }>`
    select name, coalesce(seen.n, 0)::int as seen, there.n::int as there
    from weft.intent_counts_whole(${[...nodeIds]}::bigint[], ${[...nodes]}::bigint[]) there
    left join weft.intent_counts(${[...nodeIds]}::bigint[], ${[...nodes]}::bigint[]) seen using (name)
    where there.n is distinct from seen.n`.execute(trx);
  if (rows.length === 0) return;
  const hidden = rows.map(({ name, seen, there }) => `${name} (${seen} of ${there})`);
  throw new HiddenIntent(nodeIds, hidden);
}
