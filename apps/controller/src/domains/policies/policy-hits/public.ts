import { sql } from "kysely";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";

/**
 * Of some objects those that a node carries out: whose hits it may report.
 * @param names "xaclrules 7"
 */
export async function ownObjects(
  pools: Pools<Database>,
  node: number,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const { rows } = await inScope(pools.gateway, { kind: "node", nodeId: node }, (trx) =>
    sql<{ name: string }>`
      select name from weft.own_objects(${[...names]}::text[]) as name`.execute(trx),
  );
  return new Set(rows.map(({ name }) => name));
}

/** What the gateway uses of hits. */
