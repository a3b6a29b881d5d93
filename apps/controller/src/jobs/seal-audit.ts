import { sql } from "kysely";
import { locks, tryLock } from "#db/locks.ts";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { hashRows, noSeal, sealHash } from "#domains/access/record/public.ts";

/** Maximum rows of one seal. */
const maxRows = 500;

/** The rows of a seal come from audit_waiting, which belongs to no enterprise. */
const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;

/**
 * Seals the rows of the operation log that wait for it, as the next link of the chain. Any number
 * of workers may call it: one seals, the others find no rows.
 * @returns how many rows it sealed; at most 500 per call.
 */
export function sealAudit(pools: Pools<Database>): Promise<number> {
  return inScope(pools.worker, scope, async (trx) => {
    if (!(await tryLock(trx, locks.seals))) return 0;
    // A waiting entry without a row was removed by force: it is kept for the verification to find.
    const { rows: waiting } = await sql<{ ids: number[]; at: Date }>`
      select array(
          select w.audit_id from audit_waiting w
          where exists (select from audit a where a.id = w.audit_id)
          order by w.audit_id limit ${maxRows}) as ids,
        date_trunc('milliseconds', clock_timestamp()) as at`.execute(trx);
    const [{ ids, at } = { ids: [], at: new Date(0) }] = waiting;
    if (ids.length === 0) return 0;
    const rows = await hashRows(trx, sql`${ids}::bigint[]`);
    const last = await trx
      .selectFrom("audit_seal")
      .select(["number", "hash"])
      .orderBy("number", "desc")
      .limit(1)
      .executeTakeFirst();
    const previous = last ?? noSeal;
    const seal = {
      number: previous.number + 1,
      at,
      row_ids: rows.map((row) => row.id),
      row_hashes: rows.map((row) => row.hash),
    };
    const hash = sealHash(seal, previous.hash);
    await sql`
      insert into audit_seal (number, row_ids, row_hashes, hash, at)
      values (${seal.number}, ${seal.row_ids}::bigint[], ${seal.row_hashes}::bytea[], ${hash}, ${at})`.execute(
      trx,
    );
    await sql`delete from audit_waiting where audit_id = any(${seal.row_ids}::bigint[])`.execute(
      trx,
    );
    return rows.length;
  });
}

/** As `sealAudit`, for repeated work: a seal of one row costs what one of hundreds does. */
export async function sealWaiting(pools: Pools<Database>): Promise<"nothing" | "all" | "part"> {
  const sealed = await sealAudit(pools);
  if (sealed === 0) return "nothing";
  return sealed < maxRows ? "all" : "part";
}
