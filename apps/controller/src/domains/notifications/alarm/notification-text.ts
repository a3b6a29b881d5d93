/** What recipients read: pure, one notification for all that a policy has raised or cleared since the last. */
import type { Language, Message } from "@weft/contract/kernel/message.ts";
import { inTimeZone } from "#domains/enterprises/param-config/public.ts";
import { eventSentence, levelText, type Reported } from "./event-text.ts";

export interface News extends Reported {
  readonly opened_at: Date;
  readonly cleared_at: Date | null;
  /** Events that follow from this one. */
  readonly children: number;
}

/** Lines of one notification; the rest is counted. */
const maxLines = 20;
/** A text message is paid by its length. */
const smsLength = 140;

const atOf = (language: Language): 0 | 1 => (language === "zh_cn" ? 0 : 1);
const both = (zh: string, en: string): Message => [zh, en];

function lineOf(one: News, timeZone: string): Message {
  const sentence = eventSentence(one);
  const level = levelText(one.level);
  const { children, cleared_at: cleared } = one;
  const since = inTimeZone(one.opened_at, timeZone);
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

/**
 * @param raised what opened, @param cleared what is well again; the worst first.
 * @param timeZone of the times in it, an IANA name.
 */
export function writeMessage(
  { name: policy, timeZone }: { readonly name: string; readonly timeZone: string },
  raised: readonly News[],
  cleared: readonly News[],
): Written {
  const parts = [
    raised.length > 0 ? both(`新告警 ${raised.length} 条`, `${raised.length} raised`) : null,
    cleared.length > 0 ? both(`恢复 ${cleared.length} 条`, `${cleared.length} cleared`) : null,
  ].filter((part) => part !== null);
  const lines = (at: 0 | 1): string => {
    const shown = [...raised, ...cleared]
      .slice(0, maxLines)
      .map((one) => lineOf(one, timeZone)[at]);
    const rest = raised.length + cleared.length - shown.length;
    const tail = rest > 0 ? [at === 0 ? `……还有 ${rest} 条` : `... and ${rest} more`] : [];
    return [...shown, ...tail].join("\n");
  };
  const joined = (at: 0 | 1, comma: string) => parts.map((part) => part[at]).join(comma);
  return {
    subject: both(
      `[Weft 告警] ${policy}：${joined(0, "，")}`,
      `[Weft alarm] ${policy}: ${joined(1, ", ")}`,
    ),
    body: both(lines(0), lines(1)),
  };
}

/** The notification in one language. */
export const inLanguage = ({ subject, body }: Written, language: Language) => ({
  subject: subject[atOf(language)],
  body: body[atOf(language)],
});

/** The text message: what the mail's subject says, and its first line. */
export function smsText(message: Written, language: Language): string {
  const { subject, body } = inLanguage(message, language);
  const whole = `${subject}\n${body.split("\n", 1)[0] ?? ""}`;
  return whole.length <= smsLength ? whole : `${whole.slice(0, smsLength - 1)}…`;
}
