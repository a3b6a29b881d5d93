/** Which messages are sent now, and where each leads at this moment. */
import {
  type Channel,
  channelFields,
  channels,
  isHookChannel,
} from "@weft/contract/domains/notifications/channels.ts";
import { type Kysely, sql, type Transaction } from "kysely";
import { holdLock, locks } from "#db/locks.ts";
import type { Database } from "#db/schema.ts";
import { openSecret } from "#domains/notifications/channel/public.ts";
import type { Vault } from "#kernel/vault.ts";
import { OutboxError, type Outgoing } from "./outbox-way.ts";

type Db = Kysely<Database>;
type Trx = Transaction<Database>;

/** Messages of one turn, sent side by side. */
const maxConcurrent = 10;
/** More than are taken: another worker may hold the first ones. */
const mostRead = maxConcurrent * 4;
/**
 * Messages that wait for each other. The servers of the operator have a lane of their own: people wait for the
 * codes that they send, and a webhook that does not answer takes its whole time-out.
 */
export const lanes = {
  servers: channels.filter((channel) => !isHookChannel(channel)),
  hooks: channels.filter(isHookChannel),
} as const satisfies Readonly<Record<string, readonly Channel[]>>;
export type Lane = keyof typeof lanes;

/** A worker that took a message and died is given up after this. */
const lease = "2 minutes";

interface Due extends Omit<Outgoing, "secret"> {
  readonly channel: Channel;
  readonly purpose: "private" | "alarm" | "event" | "test";
  readonly attempts: number;
  readonly enterprise_id: number;
  readonly receiver_id: number | null;
  readonly webhook_id: number | null;
}

export interface Taken extends Due {
  /** Proof of this attempt; null: the message is private. */
  readonly attemptId: number | null;
}

/** Channels that limit how often they take a message, with the limit of a minute. */
const limits = channels.flatMap((channel) => {
  const { perMinute } = channelFields[channel];
  return perMinute === null ? [] : [{ channel, perMinute }];
});

/**
 * Takes due messages under a lease, in turn of enterprises: receivers of one that take their time, or take nothing while its
 * devices come and go, keep no other one's messages waiting for more than a turn. Of an address that takes no more within this minute they are put off
 * instead, so that they do not hold up others.
 * @returns those to send now, and the number of those that were put off
 */
export const takeMessages = (db: Db, lane?: Lane): Promise<Take> =>
  db.transaction().execute((trx) => takeIn(trx, lane));

interface Take {
  readonly taken: readonly Taken[];
  /** Number of those that were put off. */
  readonly put: number;
}

/** The same in a transaction. */
export async function takeIn(trx: Trx, lane?: Lane): Promise<Take> {
  const { rows: due } = await sql<Due>`
    with recursive queue as (
      -- Which there are, by a look-up each: of a hundred thousand messages that wait only the first are read.
      (select channel, enterprise_id, attempts from outbox where state = 'waiting'
        order by channel, enterprise_id, attempts limit 1)
      union all
      select next.channel, next.enterprise_id, next.attempts from queue q cross join lateral (
        select channel, enterprise_id, attempts from outbox
        where state = 'waiting' and (channel, enterprise_id, attempts) > (q.channel, q.enterprise_id, q.attempts)
        order by channel, enterprise_id, attempts limit 1) next
    ), due as materialized (
      -- What a receiver has not taken so far comes after what another may take.
      select first.id, first.attempts, first.next_at, row_number() over (
        partition by q.enterprise_id order by first.attempts, first.next_at, first.id) as place
      from queue q cross join lateral (
        select id, attempts, next_at from outbox
        where state = 'waiting' and channel = q.channel and enterprise_id = q.enterprise_id
          and attempts = q.attempts and next_at <= now()
        order by next_at, id limit ${mostRead}) first
      where q.channel = any(${[...(lane ? lanes[lane] : channels)]}::text[])
    ), next as materialized (
      select * from due order by place, attempts, next_at, id limit ${mostRead}
    )
    select o.id, o.key, o.channel, o.purpose, o.recipient, o.subject, o.body,
      o.attempts + 1 as attempts, o.enterprise_id, o.receiver_id, o.webhook_id
    from next join outbox o on o.id = next.id and o.state = 'waiting' and o.next_at <= now()
    order by next.place, next.attempts, next.next_at, next.id
    limit ${maxConcurrent} for update of o skip locked`.execute(trx);
  if (due.length === 0) return { taken: [], put: 0 };
  const now = await withinLimits(trx, due);
  const late = due.filter((one) => !now.includes(one)).map(({ id }) => id);
  if (late.length > 0) {
    await sql`update outbox set next_at = now() + interval '10 seconds'
      where id = any(${late}::bigint[])`.execute(trx);
  }
  const ids = now.map(({ id }) => id);
  await sql`update outbox set attempts = attempts + 1, next_at = now() + ${lease}::interval
    where id = any(${ids}::bigint[])`.execute(trx);
  const { rows: attempts } = await sql<{ id: number; message: number }>`
    insert into outbox_attempt (enterprise_id, message_id)
    select enterprise_id, id from outbox where id = any(${ids}::bigint[]) and purpose <> 'private'
    returning id, message_id as message`.execute(trx);
  const attemptOf = new Map(attempts.map(({ id, message }) => [message, id]));
  const taken = now.map((one) => ({ ...one, attemptId: attemptOf.get(one.id) ?? null }));
  return { taken, put: late.length };
}

/** Messages that their addresses take within this minute, whichever worker and enterprise sends them. */
async function withinLimits(trx: Trx, due: readonly Due[]): Promise<readonly Due[]> {
  const limited = due.filter(({ channel }) => limits.some((limit) => limit.channel === channel));
  if (limited.length === 0) return due;
  // Two workers that count at the same time would both find room.
  await holdLock(trx, locks.robots);
  const { rows } = await sql<{ channel: Channel; recipient: string; n: number }>`
    select o.channel, o.recipient, count(*) as n
    from outbox_attempt a join outbox o on o.id = a.message_id
    where a.at > now() - interval '61 seconds'
      and (o.channel, o.recipient) in (select * from unnest(
        ${limited.map(({ channel }) => channel)}::text[],
        ${limited.map(({ recipient }) => recipient)}::text[]))
    group by 1, 2`.execute(trx);
  const keyOf = (one: { channel: Channel; recipient: string }) => `${one.channel} ${one.recipient}`;
  const counts = new Map(rows.map((row) => [keyOf(row), row.n]));
  return due.filter((one) => {
    const limit = limits.find(({ channel }) => channel === one.channel);
    if (!limit) return true;
    const count = counts.get(keyOf(one)) ?? 0;
    counts.set(keyOf(one), count + 1);
    return count < limit.perMinute;
  });
}

const gone = (): never => {
  throw new OutboxError("the recipient no longer has this address", true);
};

/**
 * A message with the address and the secret that its recipient or webhook has now: who corrects them wants
 * those that wait to arrive.
 * @throws OutboxError final: there is none any more
 */
export async function destinationOf(db: Db, vault: Vault, taken: Taken): Promise<Outgoing> {
  const { channel, purpose, receiver_id, webhook_id } = taken;
  // A code is for the address that asked for it, and of no recipient.
  if (purpose === "private" && !isHookChannel(channel)) return { ...taken, secret: null };
  const owner = webhook_id === null ? "receiver" : "webhook";
  const id = webhook_id ?? receiver_id ?? gone();
  const recipient =
    owner === "webhook"
      ? await urlOf(db, id, taken.purpose === "test")
      : await addressOf(db, id, channelFields[channel].address);
  if (recipient !== taken.recipient) {
    await sql`update outbox set recipient = ${recipient} where id = ${taken.id}`.execute(db);
  }
  const field = owner === "webhook" ? "secret" : channelFields[channel].secret;
  const secret =
    field === null
      ? null
      : await openSecret(db, vault, owner, id, field).catch((error: Error) => {
          throw new OutboxError(error.message, false);
        });
  // A webhook is signed or not sent: its receiver would have to trust everyone.
  if (owner === "webhook" && secret === null) throw new OutboxError("it has no secret", true);
  return { ...taken, recipient, secret };
}

async function urlOf(db: Db, id: number, isTest: boolean): Promise<string> {
  const row = await db
    .selectFrom("webhook")
    .select(["url", "enabled"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (row && !row.enabled && !isTest) throw new OutboxError("the webhook is disabled", true);
  return row?.url ?? gone();
}

async function addressOf(db: Db, id: number, column: keyof Database["message_receiver"]) {
  const row = await db
    .selectFrom("message_receiver")
    .select(column)
    .where("id", "=", id)
    .executeTakeFirst();
  const address = row && (row as Record<string, unknown>)[column];
  return typeof address === "string" ? address : gone();
}
