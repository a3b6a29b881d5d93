import type { Channel } from "@weft/contract/domains/notifications/channels.ts";
import type { DeliveryPurpose } from "@weft/contract/domains/notifications/enums.ts";
import { sql, type Transaction } from "kysely";
import { byHandLock, holdLock } from "#db/locks.ts";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";

/** A message that is to be sent. */
export interface OutboxMessage {
  /** Whose message it is: in the scope of the transaction. */
  readonly enterpriseId: number;
  readonly channel: Channel;
  /** One address, number or URL, checked by its rule. */
  readonly recipient: string;
  /** Text messages have none. */
  readonly subject?: string;
  readonly body: string;
  /** Minutes after which it is worth nothing any more. */
  readonly validMinutes: number;
  /** Absent: it may contain a code; no user sees it, and its text is removed when it has ended. */
  readonly purpose?: DeliveryPurpose;
  readonly receiverId?: number;
  readonly webhookId?: number;
  /** Event of a webhook. */
  readonly event?: string;
}

/** The same for one message in a call: handlers pass the whole context on, and reach no database. */
export const enqueueMessage = async (
  { db }: Pick<Context, "db">,
  message: OutboxMessage,
): Promise<void> => enqueueMessages(db, [message]);

/** Messages that users of an enterprise may send by hand within ten minutes: text messages are paid for. */
const maxByHand = 60;

/** @throws Refusal tooManyTries: users of the enterprise have sent enough by hand */
export async function limitByHand(
  { db }: Pick<Context, "db">,
  enterpriseId: number,
): Promise<void> {
  // Two calls that count at the same time would both find room.
  await holdLock(db, byHandLock(enterpriseId));
  const { rows } = await sql<{ n: number; seconds: number }>`
    select count(*) as n, ceil(extract(epoch from min(created_at) + interval '10 minutes' - now()))::int
      as seconds
    from outbox where enterprise_id = ${enterpriseId} and by_hand
      and created_at > now() - interval '10 minutes'`.execute(db);
  const { n = 0, seconds = 0 } = rows[0] ?? {};
  if (n >= maxByHand) refuse("tooManyTries", { seconds });
}

/** One message that a user sends by hand, and follows. @returns its id @throws Refusal tooManyTries */
export async function enqueueByHand(
  ctx: Pick<Context, "db">,
  message: OutboxMessage & { readonly purpose: DeliveryPurpose },
): Promise<number> {
  await limitByHand(ctx, message.enterpriseId);
  const row = await ctx.db
    .insertInto("outbox")
    .values({ ...toRow(message), by_hand: true })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

/**
 * Puts messages into the outbox, in the transaction of what they are about: they leave if that
 * stays, and only then. The worker sends them, more than once if it must (jobs/send-outbox.ts).
 */
export async function enqueueMessages(
  trx: Transaction<Database>,
  messages: readonly OutboxMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  await trx.insertInto("outbox").values(messages.map(toRow)).execute();
}

const toRow = (message: OutboxMessage) => ({
  enterprise_id: message.enterpriseId,
  channel: message.channel,
  recipient: message.recipient,
  subject: message.subject ?? "",
  body: message.body,
  purpose: message.purpose ?? ("private" as const),
  receiver_id: message.receiverId ?? null,
  webhook_id: message.webhookId ?? null,
  event: message.event ?? "",
  expires_at: sql<Date>`now() + make_interval(mins => ${message.validMinutes}::int)`,
});
