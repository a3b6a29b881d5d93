/** Notifies recipients what was raised and cleared: grouped, once, and not what follows from another. */
import { type Channel, channels } from "@weft/contract/domains/notifications/channels.ts";
import type { Language } from "@weft/contract/kernel/message.ts";
import type { MenuPath } from "@weft/contract/menu.ts";
import { type Selectable, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { brandOf } from "#domains/enterprises/brand/public.ts";
import { timeZoneOf } from "#domains/enterprises/param-config/public.ts";
import { type Notice, render } from "#domains/notifications/channel/public.ts";
import { leaveMessages } from "#domains/notifications/message/public.ts";
import { lostTogether } from "#domains/notifications/root-causes/public.ts";
import { enqueueMessages, type OutboxMessage } from "#outbox/enqueue.ts";
import { type Lost, type News, noticeOf, writeMessage } from "./notification-text.ts";
import type { DoParts } from "./parts.ts";

type Trx = Transaction<Database>;

export interface NotifyTimes {
  /** Ms that news wait for what belongs to them: links fall a moment before their POP is missed. */
  readonly windowMs: number;
  /** Minimum ms between two notifications of a policy; what comes meanwhile is gathered. */
  readonly gapMs: number;
  /** Ms after the end of its cause at which what still lasts is news of its own. */
  readonly graceMs: number;
}

export const defaultNotifyTimes: NotifyTimes = { windowMs: 5_000, gapMs: 60_000, graceMs: 60_000 };

/** A notification about alarms is worth nothing after a day. */
const validMinutes = 1_440;
const eventsPath: MenuPath = "/devopsmonitor/alarm";

/** Nothing is sent of an event in a maintenance window; what is still active at its end is sent then. */
const isPlanned = sql`coalesce(e.maintenance_until > now(), false)`;

interface Due {
  readonly id: number;
  readonly name: string;
  readonly enterprise_id: number;
  readonly ready: boolean;
}

/** Policies with something untold; `ready`: now is the time. */
async function dueStrategies(trx: Trx, { windowMs, gapMs }: NotifyTimes): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`
    select s.id, s.name, s.enterprise_id,
      min(case when not e.open_notified then e.raised_at else e.closed_at end)
        <= now() - make_interval(secs => ${windowMs / 1_000})
      and coalesce(s.notified_at <= now() - make_interval(secs => ${gapMs / 1_000}), true) as ready
    from alarm_event e join alarm_strategy s on s.id = e.strategy_id
    where (not e.open_notified or (e.cleared_at is not null and not e.clear_notified))
      and not ${isPlanned}
    group by s.id`.execute(trx);
  return rows;
}

interface Unnotified extends News {
  readonly node_id: number;
  readonly open_notified: boolean;
  /** It follows from another event. */
  readonly caused: boolean;
  /** Its cause is reported instead. */
  readonly hidden: boolean;
}

async function unnotifiedOf(
  trx: Trx,
  strategy: number,
  graceMs: number,
): Promise<readonly Unnotified[]> {
  const { rows } = await sql<Unnotified>`
    select e.id, e.node_id, e.level, e.metric, e.node_kind, e.node_name, e.item_name, e.value, e.opened_at,
      e.cleared_at, e.open_notified,
      p.id is not null as caused,
      p.id is not null and (p.cleared_at is null
        or p.closed_at > now() - make_interval(secs => ${graceMs / 1_000})) as hidden,
      (select count(*) from alarm_event c where c.parent_id = e.id) as children
    from alarm_event e left join alarm_event p on p.id = e.parent_id
    where e.strategy_id = ${strategy}
      and (not e.open_notified or (e.cleared_at is not null and not e.clear_notified))
      and not ${isPlanned}
    order by e.level, e.opened_at, e.id`.execute(trx);
  return rows;
}

type Receiver = Selectable<Database["message_receiver"]>;

/** Column of each channel's address and switch. */
const columns: Readonly<Record<Channel, readonly [keyof Receiver, keyof Receiver]>> = {
  mail: ["email", "email_flag"],
  sms: ["phone", "phone_flag"],
  dingtalk: ["dingtalk", "dingtalk_flag"],
  wechat: ["wechat", "wechat_flag"],
  feishu: ["feishu", "feishu_flag"],
  webhook: ["webhook", "webhook_flag"],
};

/** By each channel that a recipient has switched on. */
const messagesTo = (
  receivers: readonly Receiver[],
  enterpriseId: number,
  noticeIn: (language: Language) => Notice,
): OutboxMessage[] =>
  receivers.flatMap((receiver) => {
    const notice = noticeIn(receiver.language);
    return channels.flatMap((channel): OutboxMessage[] => {
      const [address, flag] = columns[channel];
      const recipient = receiver[address];
      if (!receiver[flag] || typeof recipient !== "string") return [];
      const shared = { enterpriseId, channel, recipient, validMinutes, receiverId: receiver.id };
      return [{ ...shared, ...render(channel, notice), purpose: "alarm" }];
    });
  });

/** Devices whose alarms one event summarises; null: each alarm counts by itself. */
async function lostOf(
  trx: Trx,
  strategy: number,
  raised: readonly Unnotified[],
): Promise<Lost | null> {
  const offline = raised.filter(
    ({ metric, node_kind }) => metric === "node" && node_kind === "cpe",
  );
  const [first] = offline;
  if (!first) return null;
  // Devices that this policy has watched in contact: all of them it may miss.
  const { rows } = await sql<{ n: number }>`
    select count(distinct w.node_id) as n from weft.alarm_seen(${strategy}) as w (node_id)`.execute(
    trx,
  );
  const together = lostTogether(
    offline.map((alarm) => ({ ...alarm, since: alarm.opened_at })),
    rows[0]?.n ?? 0,
  );
  const [earliest] = together;
  if (!earliest) return null;
  const ids = new Set(together.map(({ id }) => id));
  return { devices: together.length, since: earliest.opened_at, ids };
}

/** Enqueues the e-mails and station messages of one policy, and notes what has been reported. */
async function notifyStrategy(trx: Trx, due: Due, graceMs: number): Promise<void> {
  const unnotified = await unnotifiedOf(trx, due.id, graceMs);
  // What ends before its cause is not reported; what outlives its cause is reported on its own.
  const silent = unnotified.filter(
    (alarm) => alarm.caused && !alarm.open_notified && alarm.cleared_at !== null,
  );
  const unheard = new Set(silent);
  const news = unnotified.filter(
    (alarm) => !unheard.has(alarm) && (!alarm.hidden || alarm.open_notified),
  );
  const raised = news.filter(({ open_notified }) => !open_notified);
  const cleared = news.filter(
    ({ open_notified, cleared_at }) => open_notified && cleared_at !== null,
  );
  const reported = [...silent, ...raised, ...cleared].map(({ id }) => id);
  if (reported.length > 0) {
    await sql`
      update alarm_event set open_notified = true, clear_notified = cleared_at is not null
      where id = any(${reported}::bigint[])`.execute(trx);
  }
  if (raised.length + cleared.length === 0) return;
  const timeZone = await timeZoneOf({ db: trx }, due.enterprise_id);
  const { name } = await brandOf({ db: trx }, due.enterprise_id);
  const lost = await lostOf(trx, due.id, raised);
  const sender = { name: due.name, brand: name ?? "Weft", timeZone };
  const message = writeMessage(sender, raised, cleared, lost);
  const { rows: receivers } = await sql<Receiver>`
    select r.* from alarm_strategy_receiver m join message_receiver r on r.id = m.receiver_id
    where m.strategy_id = ${due.id} order by r.id`.execute(trx);
  const noticeIn = (language: Language) =>
    noticeOf(message, language, { policy: due.name, raised, cleared });
  await enqueueMessages(trx, messagesTo(receivers, due.enterprise_id, noticeIn));
  const { rows: readers } = await sql<{ id: number }>`
    select id from weft.alarm_readers(${due.enterprise_id}) as u (id)`.execute(trx);
  await leaveMessages(
    trx,
    readers.map(({ id: userId }) => ({
      enterpriseId: due.enterprise_id,
      userId,
      type: 2 as const,
      link: eventsPath,
      title: message.subject,
      content: message.body,
    })),
  );
  await noteNotified(trx, due);
}

const noteNotified = (trx: Trx, { id }: Due): Promise<unknown> =>
  sql`update alarm_strategy set notified_at = now() where id = ${id}`.execute(trx);

/** Sends what is due. @returns whether something is still to be reported. */
export async function dispatchNotifications(
  trx: Trx,
  times: NotifyTimes,
  parts: DoParts,
): Promise<boolean> {
  const due = await dueStrategies(trx, times);
  const notify = async (policies: readonly Due[]): Promise<void> => {
    for (const policy of policies) await notifyStrategy(trx, policy, times.graceMs);
  };
  const ready = due.filter((policy) => policy.ready);
  await parts(ready, notify, (policy) => noteNotified(trx, policy));
  return ready.length < due.length;
}
