/** Proof of delivery: what users see of the outbox, and what they may send again. */
import type { delivery, deliveryQuery } from "@weft/contract/domains/notifications/delivery.ts";
import { sql } from "kysely";
import type { z } from "zod";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { limitByHand } from "#outbox/enqueue.ts";
import type { SecretOwner } from "./secrets.ts";

/**
 * An address for people to recognize. URLs of robots and webhooks contain what lets one send there: of
 * them only the server and the end are shown.
 */
function hiddenAddress(address: string): string {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return address;
  const { origin } = new URL(address);
  const rest = address.slice(origin.length).replace(/^\//, "");
  return rest.length <= 4 ? `${origin}/${rest}` : `${origin}/…${rest.slice(-4)}`;
}

type Delivery = z.output<typeof delivery>;
type Query = z.output<typeof deliveryQuery>;

const tables = { receiver: "message_receiver", webhook: "webhook" } as const;
/** Names of these rows in the operation log. */
const resources = { receiver: "messageReceive", webhook: "webhook" } as const;
/** What is sent again is worth something for a day. */
const validMinutes = 1_440;
const maxAttempts = 10;

/** The row whose deliveries are meant. */
interface DeliveryOwner {
  readonly id: number;
  readonly enterprise_id: number;
  readonly name: string;
}

/** The recipient or webhook, in the caller's scope. @throws Refusal notFound */
async function requireOwner(ctx: Context, kind: SecretOwner, id: number): Promise<DeliveryOwner> {
  const row = await ctx.db
    .selectFrom(tables[kind])
    .select(["id", "enterprise_id", "name"])
    .where("id", "=", id)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .executeTakeFirst();
  return row ?? refuse("notFound");
}

interface Found extends Omit<Delivery, "address"> {
  readonly recipient: string;
}

/** Deliveries to one recipient or webhook, the newest first. */
export async function listDeliveries(
  ctx: Context,
  kind: SecretOwner,
  query: Query,
): Promise<{ rows: Delivery[]; count: number }> {
  const { id } = await requireOwner(ctx, kind, query.id);
  const owner = sql.ref(`o.${kind}_id`);
  const where = sql`${owner} = ${id} and o.purpose <> 'private'
    and (${query.state}::text is null or o.state = ${query.state})`;
  const [selected, total] = await Promise.all([
    sql<Found>`
      select o.id, o.key, o.channel, o.purpose, o.event, o.recipient, o.subject, o.body, o.state,
        o.attempts as count, o.error, o.created_at as "createTime", o.ended_at as "endTime",
        case when o.state = 'waiting' then o.next_at end as "nextTime"
      from outbox o where ${where} order by o.id desc
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*) as n from outbox o where ${where}`.execute(ctx.db),
  ]);
  const attempts = await attemptsOf(
    ctx,
    selected.rows.map((row) => row.id),
  );
  const rows = selected.rows.map(({ recipient, ...row }) => ({
    ...row,
    address: hiddenAddress(recipient),
    attempts: attempts(row.id),
  }));
  return { rows, count: total.rows[0]?.n ?? 0 };
}

type Attempt = Delivery["attempts"][number];

async function attemptsOf(
  { db }: Context,
  ids: readonly number[],
): Promise<(id: number) => Attempt[]> {
  const { rows } = await sql<Attempt & { message: number }>`
    select a.message_id as message, a.at, a.ended_at as "endTime", a.status, a.answer
    from unnest(${[...ids]}::bigint[]) as m (id) cross join lateral (
      select * from outbox_attempt t where t.message_id = m.id
      order by t.id desc limit ${maxAttempts}) a
    order by a.message_id, a.id desc`.execute(db);
  const byMessage = Map.groupBy(rows, ({ message }) => message);
  return (id) => (byMessage.get(id) ?? []).map(({ message: _, ...attempt }) => attempt);
}

/**
 * Sends a delivery that has ended once more, to where its recipient or webhook is now.
 * @returns id of the new delivery
 * @throws Refusal notFound; notAllowedNow: it still waits; tooManyTries
 */
export async function resend(
  ctx: Context,
  kind: SecretOwner,
  deliveryId: number,
): Promise<{ id: number }> {
  const owner = sql.ref(`o.${kind}_id`);
  const { rows: deliveries } = await sql<DeliveryOwner & { state: string; event: string }>`
    select w.id, w.enterprise_id, w.name, o.state, o.event
    from outbox o join ${sql.table(tables[kind])} w on w.id = ${owner}
    where o.id = ${deliveryId} and o.purpose <> 'private'
      and ${inCallerScope(ctx, "w.enterprise_id", "w.created_by")}`.execute(ctx.db);
  const [old] = deliveries;
  if (!old) return refuse("notFound");
  if (old.state === "waiting") {
    refuse("notAllowedNow", {
      reason: ["仍在等待发送，会自动重试", "it still waits, and is retried by itself"],
    });
  }
  await limitByHand(ctx, old.enterprise_id);
  const { rows } = await sql<{ id: number }>`
    insert into outbox (enterprise_id, channel, recipient, subject, body, purpose, receiver_id,
      webhook_id, event, key, by_hand, expires_at)
    select enterprise_id, channel, recipient, subject, body, purpose, receiver_id, webhook_id, event,
      key, true, now() + make_interval(mins => ${validMinutes}::int)
    from outbox where id = ${deliveryId} returning id`.execute(ctx.db);
  await ctx.audit({
    resource: resources[kind],
    rowId: old.id,
    enterpriseId: old.enterprise_id,
    old: null,
    new: { name: old.name, ...(old.event !== "" && { event: old.event }) },
  });
  return { id: rows[0]?.id ?? 0 };
}
