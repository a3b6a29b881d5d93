/** What recipients read: pure, one notification for all that a policy has raised or cleared since the last. */
import type { Language, Message } from "@weft/contract/kernel/message.ts";
import { inTimeZone } from "#domains/enterprises/param-config/public.ts";
import type { Notice } from "#domains/notifications/channel/public.ts";
import { eventSentence, levelText, type Reported } from "./event-text.ts";

export interface News extends Reported {
  readonly id: number;
  readonly opened_at: Date;
  readonly cleared_at: Date | null;
  /** Events that follow from this one. */
  readonly children: number;
}

/** Devices that lost contact together; what the rules of root causes take for one event. */
export interface Lost {
  readonly devices: number;
  readonly since: Date;
  /** News that it stands for. */
  readonly ids: ReadonlySet<number>;
}

/** One line instead of one for each device. */
function lostLine({ devices, since }: Lost, timeZone: string): Message {
  const at = inTimeZone(since, timeZone);
  return both(
    `[${levelText(1)[0]}] ${devices} 台设备在 90 秒内先后失联，疑似控制器或其网络问题，始于 ${at}`,
    `[${levelText(1)[1]}] ${devices} devices lost contact within 90 s: probably the controller or its network, since ${at}`,
  );
}

/** Lines of one notification; the rest is counted. */
const maxLines = 20;
/** A text message is paid by its length. */
const smsLength = 140;

const atOf = (language: Language): 0 | 1 => (language === "zh_cn" ? 0 : 1);
const both = (zh: string, en: string): Message => [zh, en];

function lineOf(news: News, timeZone: string): Message {
  const sentence = eventSentence(news);
  const level = levelText(news.level);
  const { children, cleared_at: cleared } = news;
  const since = inTimeZone(news.opened_at, timeZone);
  const more =
    children === 0
      ? both("", "")
      : both(`，另有 ${children} 条由此引起`, `, ${children} more caused by it`);
  const ended = cleared === null ? "" : inTimeZone(cleared, timeZone);
  const end = ended === "" ? both("", "") : both(`，${ended} 恢复`, `, well again ${ended}`);
  return both(
    `[${level[0]}] ${sentence[0]}，始于 ${since}${end[0]}${more[0]}`,
    `[${level[1]}] ${sentence[1]}, since ${since}${end[1]}${more[1]}`,
  );
}

export interface Written {
  readonly subject: Message;
  readonly body: Message;
}

/** Whose notification it is, and how its readers read it. */
export interface Sender {
  /** Of the policy. */
  readonly name: string;
  /** Name of the operator's brand. */
  readonly brand: string;
  /** IANA name. */
  readonly timeZone: string;
}

/**
 * @param raised what opened, @param cleared what is well again; the worst first.
 * @param lost devices that lost contact together, one line of what opened.
 */
export function writeMessage(
  { name: policy, brand, timeZone }: Sender,
  raised: readonly News[],
  cleared: readonly News[],
  lost: Lost | null = null,
): Written {
  const parts = [
    raised.length > 0 ? both(`新告警 ${raised.length} 条`, `${raised.length} raised`) : null,
    cleared.length > 0 ? both(`恢复 ${cleared.length} 条`, `${cleared.length} cleared`) : null,
  ].filter((part) => part !== null);
  const lines = (at: 0 | 1): string => {
    const single = [...raised, ...cleared].filter(({ id }) => !lost?.ids.has(id));
    const listed = single.slice(0, maxLines).map((news) => lineOf(news, timeZone)[at]);
    const shown = lost === null ? listed : [lostLine(lost, timeZone)[at], ...listed];
    const rest = single.length - listed.length;
    const tail = rest > 0 ? [at === 0 ? `……还有 ${rest} 条` : `... and ${rest} more`] : [];
    return [...shown, ...tail].join("\n");
  };
  const joined = (at: 0 | 1, comma: string) => parts.map((part) => part[at]).join(comma);
  return {
    subject: both(
      `[${brand} 告警] ${policy}：${joined(0, "，")}`,
      `[${brand} alarm] ${policy}: ${joined(1, ", ")}`,
    ),
    body: both(lines(0), lines(1)),
  };
}

/** The notification in one language. */
const inLanguage = ({ subject, body }: Written, language: Language) => ({
  subject: subject[atOf(language)],
  body: body[atOf(language)],
});

/** The text message: what the mail's subject says, and its first line. */
function smsText(message: Written, language: Language): string {
  const { subject, body } = inLanguage(message, language);
  const whole = `${subject}\n${body.split("\n", 1)[0] ?? ""}`;
  return whole.length <= smsLength ? whole : `${whole.slice(0, smsLength - 1)}…`;
}

/** What a notification is about, for programs. */
interface Notified {
  /** Name of the policy. */
  readonly policy: string;
  readonly raised: readonly News[];
  readonly cleared: readonly News[];
}

const alarmOf = (news: News, language: Language) => ({
  id: news.id,
  level: news.level,
  metric: news.metric,
  device: news.node_name,
  text: eventSentence(news)[atOf(language)],
  opened: news.opened_at.toISOString(),
  ended: news.cleared_at?.toISOString() ?? null,
  /** Alarms that follow from it. */
  caused: news.children,
});

/** Alarms of one kind in the JSON of a notification: a storm must not become a message that no receiver takes. */
const maxAlarms = 200;

/** The notification as every channel renders it. */
export function noticeOf(
  message: Written,
  language: Language,
  { policy, raised, cleared }: Notified,
): Notice {
  const { subject, body } = inLanguage(message, language);
  const texts = (news: readonly News[]) =>
    news.slice(0, maxAlarms).map((alarm) => alarmOf(alarm, language));
  const counts = { raisedCount: raised.length, endedCount: cleared.length };
  const lists = { raised: texts(raised), ended: texts(cleared) };
  const data = { policy, language, subject, text: body, ...counts, ...lists };
  const short = smsText(message, language);
  return { subject, body, short, type: "alarm.notification", at: new Date(), data };
}
