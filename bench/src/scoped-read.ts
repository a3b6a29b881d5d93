/** What row-level security and its transaction cost a read: BEGIN, scope, query, COMMIT against the query. */
import pg from "pg";
import type { Installation } from "./installation.ts";
import type { Tenant } from "./list-call.ts";
import { loadPools, scopeOf } from "./product.ts";
import { type Result, ratioResult } from "./report.ts";
import { alternate, defaultRounds, summarise } from "./rounds.ts";
import { runsPerSecond } from "./sql-load.ts";

const lanes = 8;
const ms = 2_000;

/** Twenty rows of one tenant by an index, as stores ask: the scope is in the query as well. */
const text = `select id, name, sn, enabled, created_at from node
  where kind = 'cpe' and enterprise_id = any($1::bigint[]) order by id desc limit 20`;

/** @param installation one with 100,000 CPEs */
export async function scopedRead(
  { databaseUrl }: Installation,
  { enterprise, userId }: Tenant,
): Promise<Result[]> {
  const product = await loadPools();
  const pools = await product.openPools(databaseUrl);
  const options = "-c search_path=weft,public";
  const plain = new pg.Pool({ connectionString: databaseUrl, max: lanes, options });
  const scope = scopeOf(enterprise, userId);
  const values = [[enterprise]];
  try {
    const rounds = await alternate(
      () => runsPerSecond(lanes, ms, () => plain.query(text, values)),
      () =>
        runsPerSecond(lanes, ms, () =>
          product.scopedRead(pools.api, scope, (db) => ask(db, values)),
        ),
    );
    const names = {
      bench: "scope",
      what: "read of 20 rows in a scope under row-level security",
      yardstick: "the statement alone, as superuser",
      unit: "reads/s",
    };
    return [ratioResult(names, summarise(rounds), defaultRounds, { atLeast: 0.6 })];
  } finally {
    await plain.end();
    await pools.end();
  }
}

/** The transaction is Kysely's; it takes a compiled query as it is. */
async function ask(db: unknown, parameters: unknown[]): Promise<unknown> {
  const query = {
    sql: text,
    parameters,
    query: { kind: "RawNode" },
    queryId: { queryId: "bench" },
  };
  return (db as { executeQuery(query: object): Promise<unknown> }).executeQuery(query);
}
