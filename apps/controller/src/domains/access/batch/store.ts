import type { batchById, batchItems, batchList } from "@weft/contract/domains/access/batch.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Language } from "@weft/contract/kernel/message.ts";
import { type Selectable, sql } from "kysely";
import type { BatchFailure } from "#batch/run-rows.ts";
import type { Database } from "#db/schema.ts";
import { failureEnvelope } from "#kernel/answer.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";

type Row = OutputOf<typeof batchById>;
type ItemRow = OutputOf<typeof batchItems>[number];
type Stored = Selectable<Database["batch"]>;

const code = { waiting: 0, running: 1, done: 2, cancelled: 3 } as const;

const statusOf = ({ cancelled, ended_at, turn_at }: Stored): Row["batchStatus"] => {
  if (cancelled) return code.cancelled;
  if (ended_at !== null) return code.done;
  return turn_at === null ? code.waiting : code.running;
};

const toRow = (row: Stored): Row => ({
  id: row.id,
  action: row.action,
  batchStatus: statusOf(row),
  total: row.total,
  done: row.done,
  failed: row.failed,
  createTime: row.created_at,
  endTime: row.ended_at,
});

/** As `statusOf`, for a filter. */
const inStatus = {
  [code.waiting]: sql<boolean>`ended_at is null and turn_at is null`,
  [code.running]: sql<boolean>`ended_at is null and turn_at is not null`,
  [code.done]: sql<boolean>`ended_at is not null and not cancelled`,
  [code.cancelled]: sql<boolean>`cancelled`,
} as const;

export async function listBatches(ctx: Context, query: InputOf<typeof batchList>) {
  let mine = ctx.db.selectFrom("batch").where("user_id", "=", ctx.caller.userId);
  if (query.batchStatus !== null) mine = mine.where(inStatus[query.batchStatus]);
  const [rows, { n }] = await Promise.all([
    mine
      .selectAll()
      .orderBy("id", "desc")
      .limit(query.limit)
      .offset((query.page - 1) * query.limit)
      .execute(),
    mine.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirstOrThrow(),
  ]);
  return { rows: rows.map(toRow), count: n };
}

async function ownBatch(ctx: Context, id: number): Promise<Stored> {
  const row = await ctx.db
    .selectFrom("batch")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", ctx.caller.userId)
    .executeTakeFirst();
  return row ?? refuse("notFound");
}

export const getBatch = async (ctx: Context, id: number): Promise<Row> =>
  toRow(await ownBatch(ctx, id));

const item = { waiting: 0, done: 1, failed: 2 } as const;

interface StoredItem {
  readonly place: number;
  readonly row_id: number;
  readonly name: string;
  readonly why: BatchFailure | null;
}

const reasonOf = (why: BatchFailure, language: Language, requestId: string): string =>
  failureEnvelope(why, language, requestId).msg;

/** Rows of a batch of the caller's, in the order in which they are worked on. */
export async function listItems(ctx: Context, query: InputOf<typeof batchItems>) {
  const { id, done, failed } = await ownBatch(ctx, query.id);
  const progress = done + failed;
  const is = {
    [item.waiting]: sql`place > ${progress}`,
    [item.done]: sql`place <= ${progress} and why is null`,
    [item.failed]: sql`why is not null`,
  } as const;
  const which = sql`batch_id = ${id} and ${query.itemStatus === null ? sql`true` : is[query.itemStatus]}`;
  const [selected, total] = await Promise.all([
    sql<StoredItem>`
      select place, row_id, name, why from batch_item where ${which}
      order by place limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*)::int as n from batch_item where ${which}`.execute(ctx.db),
  ]);
  const { language, requestId } = ctx.caller;
  const rows = selected.rows.map(
    ({ place, row_id, name, why }): ItemRow => ({
      sequence: place,
      rowId: row_id,
      name,
      itemStatus: why !== null ? item.failed : place <= progress ? item.done : item.waiting,
      reason: why && reasonOf(why, language, requestId),
    }),
  );
  return { rows, count: total.rows[0]?.n ?? 0 };
}

/** Ends a batch before its rows are done; the few that are under way are still finished. */
export async function cancelBatch(ctx: Context, id: number): Promise<void> {
  const { action, total } = await ownBatch(ctx, id);
  const ended = await ctx.db
    .updateTable("batch")
    .set({ cancelled: true, ended_at: sql`now()` })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .returning(["done", "failed"])
    .executeTakeFirst();
  if (!ended) refuse("notAllowedNow", { reason: ["已结束", "it has ended"] });
  await ctx.audit({
    resource: "batch",
    rowId: id,
    old: { action, total, ...ended },
    new: { cancelled: true },
    enterpriseId: ctx.caller.enterpriseId,
  });
}
