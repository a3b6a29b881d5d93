/** What a recipient reads when an operator tests a channel: pure. */
import type { Language, Message } from "@weft/contract/kernel/message.ts";
import type { Notice } from "#domains/notifications/channel/public.ts";

interface Tested {
  /** Of the recipient. */
  readonly name: string;
  readonly language: Language;
  /** Name of the operator's brand. */
  readonly brand: string;
  readonly at: Date;
  /** The same moment as the reader's time zone has it. */
  readonly shown: string;
}

export function testNotice({ name, language, brand, at, shown }: Tested): Notice {
  const say = ([zh, en]: Message): string => (language === "zh_cn" ? zh : en);
  const subject = say([`[${brand} 告警] 测试消息`, `[${brand} alarm] Test message`]);
  const body = say([
    `这是发给接收人“${name}”的测试消息，发送于 ${shown}，没有告警发生。`,
    `This is a test message to the recipient “${name}”, sent ${shown}. There is no alarm.`,
  ]);
  const data = { recipient: name, language, subject, text: body };
  return { subject, body, short: `${subject}\n${body}`, type: "notification.test", at, data };
}
