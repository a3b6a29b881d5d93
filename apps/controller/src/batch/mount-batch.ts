import { maxOfBatch, maxParallelItems } from "@weft/contract/kernel/batch.ts";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { z } from "zod";
import type { Context } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import type { BatchAction, BatchTarget } from "./batch-action.ts";
import { runNextRows } from "./run-rows.ts";

type Loose = Readonly<Record<string, unknown>>;

/**
 * Mounts actions on many rows. A batch of up to a hundred rows is done when the call answers; the
 * rows of a larger one are worked on by the worker, which continues where one that died had stopped.
 */
export function mountBatches(app: FastifyInstance, actions: readonly BatchAction[]): void {
  for (const action of actions) {
    mount(app, action.endpoint, (input, ctx) => startBatch(app, action, input, ctx), {
      unaudited:
        "each row that is done is one row of the log; refused ones are listed in the report",
      ...(action.personOnly !== undefined && { personOnly: action.personOnly }),
    });
  }
}

async function startBatch(
  app: FastifyInstance,
  action: BatchAction,
  input: Loose,
  ctx: Context,
): Promise<{ id: number; total: number }> {
  const { endpoint } = action;
  const pick = (shape: object): Loose =>
    Object.fromEntries(Object.keys(shape).map((name) => [name, input[name]]));
  const given = pick(endpoint.fields.shape);
  const kept = action.prepare ? await action.prepare(ctx, given as never) : given;
  const targets = await selected(action, input, pick(endpoint.filters.shape), ctx);
  const fields = z.encode(endpoint.fields.partial(), kept as never);
  const id = await keep(ctx, endpoint.id, fields, targets);
  if (targets.length <= maxParallelItems) {
    await runNextRows(ctx, action, id, (error, rowId) =>
      app.log.error({ err: error, batch: id, rowId }, "row of a bulk job failed"),
    );
  }
  return { id, total: targets.length };
}

/** The selected rows; refuses ids that do not exist or belong to another tenant. */
async function selected(
  { targets }: BatchAction,
  { ids }: Loose,
  filters: Loose,
  ctx: Context,
): Promise<readonly BatchTarget[]> {
  const named = [...new Set(ids as readonly number[])];
  const targetIds = await targets(ctx, {
    ids: named.length > 0 ? named : null,
    filters: filters as never,
    maxRows: maxOfBatch + 1,
  });
  if (named.length > 0 && targetIds.length !== named.length) refuse("notFound");
  if (targetIds.length > maxOfBatch) refuseField("ids", "tooMany", { max: maxOfBatch });
  return targetIds;
}

async function keep(
  ctx: Context,
  action: string,
  fields: object,
  targets: readonly BatchTarget[],
): Promise<number> {
  const { caller } = ctx;
  const { id } = await ctx.db
    .insertInto("batch")
    .values({
      enterprise_id: caller.enterpriseId,
      user_id: caller.userId,
      key_id: caller.keyId,
      login_name: caller.loginName,
      address: caller.address,
      request_id: caller.requestId,
      action,
      fields: JSON.stringify(fields),
      total: targets.length,
      // Nothing to do is done.
      ended_at: targets.length === 0 ? sql`now()` : null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await sql`
    insert into batch_item (batch_id, place, user_id, row_id, name)
    select ${id}::bigint, one.place, ${caller.userId}::bigint, one.row_id, one.name
    from unnest(${targets.map((row) => row.id)}::bigint[], ${targets.map((row) => row.name)}::text[])
      with ordinality as one (row_id, name, place)`.execute(ctx.db);
  return id;
}
