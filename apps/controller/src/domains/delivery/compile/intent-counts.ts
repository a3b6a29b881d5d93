/** Proof that the worker reads every row that a state is made of. */
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

/** Rows that a state is made of are there and cannot be read. */
export class HiddenIntent extends Error {
  /** "acl_rule (0 of 30)". */
  readonly tables: readonly string[];

  constructor(nodeId: number, tables: readonly string[]) {
    super(`node ${nodeId}: rows of its state are not readable: ${tables.join(", ")}`);
    this.tables = tables;
  }
}

/**
 * Holds what the caller's transaction can read of a node's intent against what is there.
 * @param nodes the node and every node at the other end of one of its links
 * @throws HiddenIntent naming each table of which rows are hidden: nothing may be compiled of the rest
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
  const hidden = rows.map(({ name, seen, there }) => `${name} (${seen} of ${there})`);
  throw new HiddenIntent(nodeId, hidden);
}
