import type { messageById, messageList } from "@weft/contract/domains/notifications/message.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Language, Message } from "@weft/contract/kernel/message.ts";
import { type Selectable, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";

type Row = OutputOf<typeof messageById>;
type Stored = Selectable<Database["message"]>;

/** A message to one person, in both languages. */
export interface StationMessage {
  readonly enterpriseId: number;
  readonly userId: number;
  /** 0 system, 1 security, 2 alarm. */
  readonly type: Row["type"];
  readonly title: Message;
  readonly content: Message;
  /** Path of the screen that it is about. */
  readonly link?: string;
}

/** Leaves messages, in the transaction of what they are about. */
export async function leaveMessages(
  trx: Transaction<Database>,
  messages: readonly StationMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  await trx
    .insertInto("message")
    .values(
      messages.map(({ enterpriseId, userId, type, title, content, link = "" }) => ({
        enterprise_id: enterpriseId,
        user_id: userId,
        type,
        link,
        title: [...title],
        content: [...content],
      })),
    )
    .execute();
}

const toRow = (row: Stored, language: Language): Row => {
  const at = language === "zh_cn" ? 0 : 1;
  return {
    id: row.id,
    title: row.title[at] ?? "",
    content: row.content[at] ?? "",
    type: row.type as Row["type"],
    status: row.read_at === null ? 0 : 1,
    userId: row.user_id,
    link: row.link,
    createTime: row.created_at,
    readTime: row.read_at,
  };
};

export async function listOwn(ctx: Context, query: InputOf<typeof messageList>) {
  const { userId, language } = ctx.caller;
  let mine = ctx.db.selectFrom("message").where("user_id", "=", userId);
  if (query.type !== null) mine = mine.where("type", "=", query.type);
  if (query.status !== null) mine = mine.where("read_at", query.status ? "is not" : "is", null);
  const [rows, { n }] = await Promise.all([
    mine
      .selectAll()
      .orderBy("id", "desc")
      .limit(query.limit)
      .offset((query.page - 1) * query.limit)
      .execute(),
    mine.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirstOrThrow(),
  ]);
  return { rows: rows.map((row) => toRow(row, language)), count: n };
}

export async function getOwn(ctx: Context, id: number): Promise<Row> {
  const row = await ctx.db
    .selectFrom("message")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", ctx.caller.userId)
    .executeTakeFirst();
  return row ? toRow(row, ctx.caller.language) : refuse("notFound");
}

export async function countUnread(ctx: Context): Promise<number> {
  const { n } = await ctx.db
    .selectFrom("message")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where("user_id", "=", ctx.caller.userId)
    .where("read_at", "is", null)
    .executeTakeFirstOrThrow();
  return n;
}

/** Marks messages as read; null: all. Refused when one is not the caller's. */
export async function markRead(ctx: Context, ids: readonly number[] | null): Promise<void> {
  const { userId } = ctx.caller;
  if (ids !== null) await requireOwn(ctx, ids);
  let unread = ctx.db
    .updateTable("message")
    .set({ read_at: sql<Date>`now()` })
    .where("user_id", "=", userId)
    .where("read_at", "is", null);
  if (ids !== null) unread = unread.where("id", "in", [...ids]);
  await unread.execute();
}

export async function removeOwn(ctx: Context, ids: readonly number[]): Promise<void> {
  await requireOwn(ctx, ids);
  await ctx.db
    .deleteFrom("message")
    .where("user_id", "=", ctx.caller.userId)
    .where("id", "in", [...ids])
    .execute();
}

async function requireOwn(ctx: Context, ids: readonly number[]): Promise<void> {
  const wanted = [...new Set(ids)];
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from message
    where user_id = ${ctx.caller.userId} and id = any(${wanted}::bigint[])`.execute(ctx.db);
  if (rows[0]?.n !== wanted.length) refuse("notFound");
}
