/** Parts of a transaction that may fail, or are only tried. Each savepoint is released: PostgreSQL keeps those that are not. */
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

type Trx = Transaction<Database>;

const begin = (trx: Trx) => sql`savepoint part`.execute(trx);
const release = (trx: Trx) => sql`release savepoint part`.execute(trx);

async function takeBack(trx: Trx): Promise<void> {
  await sql`rollback to savepoint part`.execute(trx);
  await release(trx);
}

/**
 * Runs part of a transaction, of which nothing stays if it fails.
 * @param toOutcome what is returned then; may throw, which leaves the whole transaction to its end
 */
export async function tryPart<Result, Outcome>(
  trx: Trx,
  work: () => Promise<Result>,
  toOutcome: (error: unknown) => Outcome,
): Promise<Result | Outcome> {
  await begin(trx);
  try {
    const result = await work();
    await release(trx);
    return result;
  } catch (error) {
    const outcome = toOutcome(error);
    // Of a connection that is gone this fails, and with it the transaction.
    await takeBack(trx);
    return outcome;
  }
}

/**
 * Runs part of a transaction to see what becomes of it: nothing of it stays.
 * @throws what the work fails with, which leaves the whole transaction to its end
 */
export async function rehearse<Result>(trx: Trx, work: () => Promise<Result>): Promise<Result> {
  await begin(trx);
  const result = await work();
  await takeBack(trx);
  return result;
}
