/** Actions on many rows: batches that were too large for their call go on here. */

import { sql, type Transaction } from "kysely";
import type { Logger } from "pino";
import type { BatchAction } from "#batch/batch-action.ts";
import { type BatchFailure, runNextRows } from "#batch/run-rows.ts";
import { inScope, type Pools, poolFor, type RememberedAccess } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { createReviver } from "#domains/access/api-key/public.ts";
import { laterCheck, personOf, readAccessVersion } from "#domains/access/session/public.ts";
import { commandBatches } from "#domains/devices/command/public.ts";
import { cpeBatches } from "#domains/devices/node/public.ts";
import { configBatches } from "#domains/devices/node-config/public.ts";
import { accountBatches } from "#domains/mobile/mobile-account/public.ts";
import { spaceBatches } from "#domains/overlay/net-space/public.ts";
import type { Caller, Revive, Revived } from "#kernel/api.ts";
import { createContext } from "#kernel/audit.ts";
import { isAccessChanged, isAway, isCollision } from "#kernel/database-errors.ts";

/** Batches that have a turn before the changes of all of them are read. */
const batchesPerTurn = 10;
/** Times that a turn is tried: access changed, or others wrote the same rows, between its beginning and its end. */
const mostTries = 3;
/** Turns in a row after which one is given up that fails at each, by a fault and not by a row. */
const mostFailures = 5;
/** Days that a report is kept. */
const keptFor = "90 days";

interface Open {
  readonly id: number;
  readonly user_id: number;
  readonly key_id: number | null;
  readonly login_name: string;
  readonly address: string;
  readonly request_id: string;
  readonly action: string;
}

/** Everything that can be done with many rows, by the id of its call. */
const actions: ReadonlyMap<string, BatchAction> = new Map(
  [cpeBatches, configBatches, spaceBatches, accountBatches, commandBatches]
    .flat()
    .map((action) => [action.endpoint.id, action]),
);

export interface BatchRunner {
  /** Gives every open batch a turn, the one that waited longest first. @returns how many went on */
  run(): Promise<number>;
}

/**
 * Works on batches, a hundred rows a turn, each turn one transaction in the scope that the batch's
 * person has by then. Any number of processes may do it: a batch is one process's at a time, and of
 * a turn that died nothing stays.
 */
export function createBatchRunner(pools: Pools<Database>, logger: Logger): BatchRunner {
  const revive = createReviver(pools);
  /** Turns in a row that a batch failed at. */
  const failures = new Map<number, number>();
  const turn = async (open: Open): Promise<void> => {
    const log = logger.child({ batch: open.id, action: open.action });
    const action = actions.get(open.action);
    for (let tries = 0; tries < mostTries; tries += 1) {
      const found = await callerOf(pools, revive, open);
      if (!action || !found) {
        log.warn("the user may no longer continue the bulk job");
        return abandon(pools, open.id, { code: "tokenInvalid", params: {}, issues: [] });
      }
      const { caller, remembered } = found;
      const rows = async (db: Transaction<Database>): Promise<void> => {
        const ctx = createContext(caller, db, open.action);
        await runNextRows(ctx, action, open.id, (error, rowId) =>
          log.error({ err: error, rowId }, "row of a bulk job failed"),
        );
      };
      try {
        return await inScope(poolFor(pools, caller.scope), caller.scope, rows, { remembered });
      } catch (error) {
        // Nothing of the turn stayed.
        if (!isAccessChanged(error) && !isCollision(error)) throw error;
      }
    }
    log.warn("the bulk job goes on at its next turn");
  };
  /** The next turn is that of others; one that fails again and again ends. */
  const fail = async ({ id, action, request_id: requestId }: Open, error: unknown) => {
    const times = (failures.get(id) ?? 0) + 1;
    logger.error({ err: error, batch: id, action, times }, "turn of a bulk job failed");
    failures.set(id, times);
    await sql`update batch set turn_at = now() where id = ${id}`.execute(pools.worker.db);
    if (times < mostFailures) return;
    failures.delete(id);
    await abandon(pools, id, { code: "internal", params: { requestId }, issues: [] });
  };
  return {
    async run() {
      const { rows } = await sql<Open>`
        select id, user_id, key_id, login_name, address, request_id, action
        from batch where ended_at is null
        order by turn_at nulls first, id limit ${batchesPerTurn}`.execute(pools.worker.db);
      let moved = 0;
      for (const open of rows) {
        try {
          await turn(open);
          failures.delete(open.id);
          moved += 1;
        } catch (error) {
          if (isAway(error)) throw error;
          await fail(open, error);
        }
      }
      return moved;
    },
  };
}

/** The person or key as it is now; null: gone, or not allowed without further steps. */
async function callerOf(
  pools: Pools<Database>,
  revive: Revive,
  open: Open,
): Promise<{ caller: Caller; remembered: RememberedAccess } | null> {
  const found = await ownerOf(pools, revive, open);
  if (!found || found.user.mustAddFactor) return null;
  const facts = { address: open.address, requestId: open.request_id, userAgent: "", host: "" };
  const caller: Caller = { ...found.user, ...facts, language: "zh_cn", ifMatch: null };
  return { caller, remembered: found.remembered };
}

/** A batch outlives the login that began it; a key that was removed does nothing more. */
async function ownerOf(
  pools: Pools<Database>,
  revive: Revive,
  { key_id: keyId, user_id: userId }: Open,
): Promise<Revived | null> {
  if (keyId !== null) return revive({ userId, keyId, family: "" });
  // Read first: a change from here on ends the turn.
  const version = await readAccessVersion(pools);
  const person = await personOf(pools, userId);
  return person && { user: { ...person, family: "" }, remembered: laterCheck(null, version) };
}

/** Ends a batch that cannot go on: the rest fails for that. */
async function abandon(pools: Pools<Database>, id: number, reason: BatchFailure): Promise<void> {
  const why = JSON.stringify(reason);
  await sql`
    with ended as (
      update batch set failed = total - done, ended_at = now()
      where id = ${id} and ended_at is null returning id
    ), before as (select id, done + failed as progress from batch where id = ${id})
    update batch_item i set why = ${why}::jsonb
    from ended join before using (id)
    where i.batch_id = ended.id and i.place > before.progress`.execute(pools.worker.db);
}

/** Reports are kept for some time. */
export async function sweepBatches(pools: Pools<Database>): Promise<void> {
  await sql`delete from batch where ended_at < now() - ${keptFor}::interval`.execute(
    pools.worker.db,
  );
}
