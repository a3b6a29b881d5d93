import type { ErrorCode } from "@weft/contract/errors.ts";
import { maxParallelItems } from "@weft/contract/kernel/batch.ts";
import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import { sql } from "kysely";
import { z } from "zod";
import { batchLock, tryLock } from "#db/locks.ts";
import { lackOf } from "#kernel/answer.ts";
import type { Context } from "#kernel/api.ts";
import { generalRefusal, isCollision } from "#kernel/database-errors.ts";
import { type ErrorParams, Refusal } from "#kernel/refuse.ts";
import { tryPart } from "#kernel/savepoint.ts";
import type { BatchAction } from "./batch-action.ts";

/** Why a row failed, as keys: texts are made where it is read. */
export interface BatchFailure {
  readonly code: ErrorCode;
  readonly params: ErrorParams;
  readonly issues: readonly RuleIssue[];
}

interface Work {
  readonly id: number;
  readonly total: number;
  /** Rows that are behind it. */
  readonly progress: number;
  readonly fields: unknown;
}

interface Item {
  readonly place: number;
  readonly row_id: number;
}

/** Reports an error that is no refusal, before it becomes one. */
type ReportError = (error: unknown, rowId: number) => void;

/**
 * Works on the next rows of a batch, in the transaction of `ctx`, which is the person's: one row that is refused leaves the
 * others. How far the batch is moves on
 * in the same transaction.
 * @returns false when the batch is over or another worker has it
 */
export async function runNextRows(
  ctx: Context,
  action: BatchAction,
  batchId: number,
  report: ReportError,
): Promise<boolean> {
  const work = await takeBatch(ctx, batchId);
  if (!work) return false;
  const { rows: items } = await sql<Item>`
    select place, row_id from batch_item
    where batch_id = ${batchId} and place > ${work.progress}
    order by place limit ${maxParallelItems}`.execute(ctx.db);
  const lacking = lackOf(ctx.caller, action.endpoint.may);
  const fields = z.decode(action.endpoint.fields.partial(), work.fields as never);
  const failures = new Map<number, BatchFailure>();
  for (const { place, row_id } of items) {
    const refused =
      lacking ??
      (await tryRow(ctx, report, () => action.act(ctx, row_id, fields as never), row_id));
    if (refused) failures.set(place, toFailure(refused));
  }
  await noteFailures(ctx, batchId, failures);
  const isOver = work.progress + items.length >= work.total;
  await sql`
    update batch set done = done + ${items.length - failures.size}, failed = failed + ${failures.size},
      turn_at = now(), ended_at = coalesce(ended_at, ${isOver ? sql`now()` : null}::timestamptz)
    where id = ${batchId}`.execute(ctx.db);
  return !isOver;
}

/** Takes a batch for this transaction; undefined: it is over, or another process works on it. */
async function takeBatch(ctx: Context, id: number): Promise<Work | undefined> {
  // Not the row's own lock: cancelling must not wait for a hundred rows.
  if (!(await tryLock(ctx.db, batchLock(id)))) return undefined;
  const { rows } = await sql<Work>`
    select id, total, done + failed as progress, fields from batch
    where id = ${id} and ended_at is null`.execute(ctx.db);
  return rows[0];
}

async function tryRow(
  ctx: Context,
  report: ReportError,
  act: () => Promise<void>,
  rowId: number,
): Promise<Refusal | null> {
  const part = async (): Promise<null> => {
    await act();
    return null;
  };
  return tryPart(ctx.db, part, (error) => {
    // It says nothing of the row: all rows of the turn come again, as where the connection is gone.
    if (isCollision(error)) throw error;
    const refused = error instanceof Refusal ? error : generalRefusal(error);
    if (!refused) report(error, rowId);
    return refused ?? new Refusal("internal", { requestId: ctx.caller.requestId }, []);
  });
}

const toFailure = ({ code, params, issues }: Refusal): BatchFailure => ({ code, params, issues });

async function noteFailures(
  ctx: Context,
  batchId: number,
  failures: ReadonlyMap<number, BatchFailure>,
): Promise<void> {
  if (failures.size === 0) return;
  await sql`
    update batch_item set why = one.why::jsonb
    from unnest(${[...failures.keys()]}::int[], ${[...failures.values()].map((failure) => JSON.stringify(failure))}::text[])
      as one (place, why)
    where batch_id = ${batchId} and batch_item.place = one.place`.execute(ctx.db);
}
