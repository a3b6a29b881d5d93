import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";

/** An e-mail or text message that is to be sent. */
export interface OutboxMessage {
  /** Whose message it is: in the scope of the transaction. */
  readonly enterpriseId: number;
  readonly channel: "mail" | "sms";
  /** One address or number, checked by its rule. */
  readonly recipient: string;
  /** Of mails; text messages have none. */
  readonly subject?: string;
  readonly body: string;
  /** Minutes after which it is worth nothing any more. */
  readonly validMinutes: number;
}

/** The same for one message in a call: handlers pass the whole context on, and reach no database. */
export const enqueueMessage = (
  { db }: Pick<Context, "db">,
  message: OutboxMessage,
): Promise<void> => enqueueMessages(db, [message]);

/**
 * Puts messages into the outbox, in the transaction of what they are about: they leave if that
 * stays, and only then. The worker sends them, more than once if it must (jobs/send-outbox.ts).
 */
export async function enqueueMessages(
  trx: Transaction<Database>,
  messages: readonly OutboxMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  await trx
    .insertInto("outbox")
    .values(
      messages.map(({ enterpriseId, channel, recipient, subject = "", body, validMinutes }) => ({
        enterprise_id: enterpriseId,
        channel,
        recipient,
        subject,
        body,
        expires_at: sql<Date>`now() + make_interval(mins => ${validMinutes}::int)`,
      })),
    )
    .execute();
}
