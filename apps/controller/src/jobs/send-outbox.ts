import { sql } from "kysely";
import type { Logger } from "pino";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import {
  mailWay,
  OutboxError,
  type OutboxSettings,
  type Outgoing,
  smsWay,
  type Way,
} from "./outbox-transports.ts";

/** Messages of one turn, sent side by side. */
const maxConcurrent = 10;
/** Reason of a message whose channel has no server. */
const notConfigured = {
  mail: "no mail server is configured (WEFT_SMTP_URL)",
  sms: "no SMS gateway is configured (WEFT_SMS_URL)",
} as const;
/** A worker that took a message and died is given up after this. */
const lease = "2 minutes";
const maxPauseSeconds = 3600;
/** What is sent or given up is kept so long, without its text. */
const keep = "30 days";

interface Due extends Outgoing {
  readonly channel: "mail" | "sms";
  readonly attempts: number;
}

export interface OutboxSender {
  /** Sends what is due. @returns how many messages it took. */
  run(): Promise<number>;
  close(): void;
}

/** Seconds until the next attempt: 5, 10, 20 ... an hour. */
export const pauseAfter = (attempts: number): number =>
  Math.min(maxPauseSeconds, 5 * 2 ** (attempts - 1));

/**
 * Sends messages of the outbox. Any number of workers may: each takes messages under a lease, so that
 * one that dies while sending delays a message and loses nothing. A message may therefore
 * arrive twice, and never not at all as long as it is worth something.
 */
export function createOutboxSender(
  pools: Pools<Database>,
  settings: OutboxSettings,
  logger: Logger,
): OutboxSender {
  const { smtpUrl, mailFrom, smsUrl, smsToken } = settings;
  const mail = smtpUrl === undefined ? null : mailWay(smtpUrl, mailFrom);
  const sms = smsUrl === undefined ? null : smsWay(smsUrl, smsToken);
  const ways: Readonly<Record<Due["channel"], Way | null>> = { mail, sms };
  const { db } = pools.worker;
  const end = (id: number, state: "sent" | "failed", error: string) =>
    sql`update outbox set state = ${state}, body = '', error = ${error}, ended_at = now()
      where id = ${id} and state = 'waiting'`.execute(db);
  const sendOne = async ({ channel, attempts, ...outgoing }: Due): Promise<void> => {
    const way = ways[channel];
    try {
      if (way === null) throw new OutboxError(notConfigured[channel], true);
      await way(outgoing);
      await end(outgoing.id, "sent", "");
    } catch (error) {
      if (!(error instanceof OutboxError)) throw error;
      const { message, isFinal } = error;
      logger.warn(
        { messageId: outgoing.id, channel, attempts, isFinal, reason: message },
        "message not sent",
      );
      if (isFinal) await end(outgoing.id, "failed", message);
      else {
        await sql`update outbox set error = ${message},
            next_at = now() + make_interval(secs => ${pauseAfter(attempts)})
          where id = ${outgoing.id} and state = 'waiting'`.execute(db);
      }
    }
  };
  return {
    async run() {
      await sql`update outbox set state = 'failed', body = '', ended_at = now(),
          error = 'over: ' || error
        where state = 'waiting' and expires_at < now()`.execute(db);
      const { rows } = await sql<Due>`
        update outbox o set attempts = attempts + 1, next_at = now() + ${lease}::interval
        where id in (select id from outbox where state = 'waiting' and next_at <= now()
          order by next_at limit ${maxConcurrent} for update skip locked)
        returning o.id, o.channel, o.recipient, o.subject, o.body, o.attempts`.execute(db);
      await Promise.all(rows.map(sendOne));
      return rows.length;
    },
    close: () => mail?.close(),
  };
}

/** Messages of this age are read or never will be. */
const keepMessages = "1 year";

/** Removes e-mails, codes and messages that are long over. */
export async function sweepMessages(pools: Pools<Database>): Promise<void> {
  const { db } = pools.worker;
  await sql`delete from outbox where state <> 'waiting' and ended_at < now() - ${keep}::interval`.execute(
    db,
  );
  await sql`delete from message where created_at < now() - ${keepMessages}::interval`.execute(db);
  await sql`delete from one_time_code where created_at < now() - interval '1 day'`.execute(db);
}
