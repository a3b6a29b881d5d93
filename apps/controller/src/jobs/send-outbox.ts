import {
  type Channel,
  type HookChannel,
  hookChannels,
  isHookChannel,
} from "@weft/contract/domains/notifications/channels.ts";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { isAway } from "#kernel/database-errors.ts";
import type { Vault } from "#kernel/vault.ts";
import { messageAttempted } from "#telemetry/events.ts";
import { createPost } from "./hook-request.ts";
import { hookWay } from "./hook-ways.ts";
import { destinationOf, type Lane, type Taken, takeMessages } from "./outbox-taking.ts";
import { mailWay, type OutboxSettings, smsWay, timeoutMs } from "./outbox-transports.ts";
import { type Answer, OutboxError, oneLine, type Way } from "./outbox-way.ts";

/** Reason of a message whose channel has no server. */
const notConfigured: Readonly<Record<Exclude<Channel, HookChannel>, string>> = {
  mail: "no mail server is configured (WEFT_SMTP_URL)",
  sms: "no SMS gateway is configured (WEFT_SMS_URL)",
};
const maxPauseSeconds = 3600;
/** What is sent or given up is kept so long; of what may contain a code, without its text. */
const keep = "30 days";
/** Ended deliveries of one webhook that are kept. */
const keepOfWebhook = 1_000;

export interface OutboxSender {
  /** Sends what is due in one lane, or in both. @returns how many messages it took. */
  run(lane?: Lane): Promise<number>;
  close(): void;
}

/** A fault that no way expected is one of this message: it is tried again as others are, and is in the way of none. */
const asOutboxError = (error: unknown): OutboxError =>
  error instanceof OutboxError
    ? error
    : new OutboxError(oneLine(String((error as Error).message)).slice(0, 300), false);

/** Seconds until the next attempt: 5, 10, 20 ... an hour. */
export const pauseAfter = (attempts: number): number =>
  Math.min(maxPauseSeconds, 5 * 2 ** (attempts - 1));

/** What sends, by channel; null: the installation has no server for it. */
function createWays(settings: OutboxSettings, hookTimeoutMs: number) {
  const { smtpUrl, mailFrom, smsUrl, smsToken, hookNetworks } = settings;
  const post = createPost(hookNetworks, hookTimeoutMs);
  const mail = smtpUrl === undefined ? null : mailWay(smtpUrl, mailFrom);
  const sms = smsUrl === undefined ? null : smsWay(smsUrl, smsToken);
  const hooks = Object.fromEntries(
    hookChannels.map((hookChannel) => [hookChannel, hookWay(hookChannel, post)]),
  );
  const ways = { ...(hooks as Record<HookChannel, Way>), mail, sms };
  return { ways: ways as Readonly<Record<Channel, Way | null>>, close: () => mail?.close() };
}

/**
 * Sends messages of the outbox. Any number of workers may: each takes messages under a lease, so that
 * one that dies while sending delays a message and loses nothing. A message may therefore
 * arrive twice, and never not at all as long as it is worth something.
 * @param vault opens the secrets that sign
 * @param hookTimeoutMs for a request to a robot or webhook as a whole
 */
export function createOutboxSender(
  pools: Pools<Database>,
  settings: OutboxSettings,
  logger: Logger,
  vault: Vault,
  hookTimeoutMs = timeoutMs,
): OutboxSender {
  const { ways, close } = createWays(settings, hookTimeoutMs);
  const { db } = pools.worker;
  const noteAttempt = ({ attemptId }: Taken, { status, text }: Answer) =>
    attemptId !== null &&
    sql`update outbox_attempt set ended_at = now(), status = ${status}, answer = ${text}
      where id = ${attemptId}`.execute(db);
  const end = ({ id }: Taken, state: "sent" | "failed", error: string) =>
    sql`update outbox set state = ${state}, error = ${error}, ended_at = now(),
        body = case when purpose = 'private' then '' else body end
      where id = ${id} and state = 'waiting'`.execute(db);
  const retry = ({ id, attempts }: Taken, { message, retryAfterMs }: OutboxError) => {
    const seconds = Math.max(pauseAfter(attempts), retryAfterMs / 1000);
    return sql`update outbox set error = ${message},
        next_at = now() + make_interval(secs => ${seconds})
      where id = ${id} and state = 'waiting'`.execute(db);
  };
  const fail = async (taken: Taken, error: OutboxError): Promise<void> => {
    const { id, channel, attempts, purpose } = taken;
    const { message, answer } = error;
    // A test waits for its result.
    const isFinal = error.isFinal || purpose === "test";
    const context = { messageId: id, channel, attempts, isFinal, reason: message };
    logger.warn(context, "message not sent");
    messageAttempted.publish({ channel, result: isFinal ? "failed" : "retried" });
    await noteAttempt(taken, answer);
    await (isFinal ? end(taken, "failed", message) : retry(taken, error));
  };
  const send = async (taken: Taken): Promise<void> => {
    const { channel } = taken;
    try {
      const way = ways[channel];
      if (way === null && !isHookChannel(channel)) {
        throw new OutboxError(notConfigured[channel], true);
      }
      const answer = await (way as Way)(await destinationOf(db, vault, taken));
      await noteAttempt(taken, answer);
      await end(taken, "sent", "");
      messageAttempted.publish({ channel, result: "sent" });
    } catch (error) {
      // What was not written is found again when the lease is over.
      if (isAway(error)) throw error;
      if (!(error instanceof OutboxError)) {
        logger.error({ err: error, messageId: taken.id, channel }, "a message failed by a fault");
      }
      await fail(taken, asOutboxError(error));
    }
  };
  return {
    async run(lane) {
      const { rows: expired } = await sql<Pick<Taken, "channel">>`
        update outbox set state = 'failed', ended_at = now(), error = 'over: ' || error,
          body = case when purpose = 'private' then '' else body end
        where state = 'waiting' and expires_at < now() returning channel`.execute(db);
      for (const { channel } of expired) messageAttempted.publish({ channel, result: "expired" });
      const { taken, put } = await takeMessages(db, lane);
      await Promise.all(taken.map(send));
      return taken.length + put;
    },
    close,
  };
}

/** Messages of this age are read or never will be. */
const keepMessages = "1 year";

/** Removes e-mails, codes and messages that are long over. */
export async function sweepMessages(pools: Pools<Database>): Promise<void> {
  const { db } = pools.worker;
  await sql`delete from outbox where id in (
    select id from (
      select id, row_number() over (partition by webhook_id order by id desc) as place
      from outbox where webhook_id is not null and state <> 'waiting') o
    where place > ${keepOfWebhook})`.execute(db);
  await sql`delete from outbox where state <> 'waiting' and ended_at < now() - ${keep}::interval`.execute(
    db,
  );
  await sql`delete from message where created_at < now() - ${keepMessages}::interval`.execute(db);
  await sql`delete from one_time_code where created_at < now() - interval '1 day'`.execute(db);
}
