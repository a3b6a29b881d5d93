import { defineMessages, formatMessage, type Language, type Message } from "#kernel/message.ts";
import { deviceTexts } from "./device-text.ts";

/**
 * Lines of a device's drift about configuration of other programs. A device writes all steps of its drift
 * in English; the console shows these lines in the user's language.
 */
const foreignMessages = defineMessages({
  route: [
    "外部：其他程序的路由 {prefix} {way} 遮蔽了 {hidden}",
    "foreign: route {prefix} {way} of another program shadows {hidden}",
  ],
  rule: [
    "外部：其他程序的 IPv{family} 规则 {priority}（{rule}）先于设备的路由生效",
    "foreign: rule {priority} of IPv{family} ({rule}) of another program is looked at before the device's routes",
  ],
  policy: [
    "外部：其他程序的 nft 表 {table} 丢弃{seen}（{chain}）",
    "foreign: nft table {table} of another program drops {seen} ({chain})",
  ],
  chain: [
    "外部：其他程序的 nft 表 {table} 有规则会丢弃{seen}（{chain}）",
    "foreign: nft table {table} of another program has rules that drop {seen} ({chain})",
  ],
});

/** Packets that the chains at a hook see (nft(8)). */
const hookMessages: Readonly<Record<string, Message>> = {
  ingress: ["到达的数据包", "what arrives"],
  prerouting: ["到达的数据包", "what arrives"],
  input: ["设备自身接收的数据包", "what the device itself receives"],
  forward: ["转发的数据包", "what is forwarded"],
  output: ["设备自身发送的数据包", "what the device itself sends"],
  postrouting: ["离开的数据包", "what leaves"],
  egress: ["离开的数据包", "what leaves"],
};

/** Packets that a hook sees, in English; undefined for an unknown hook. */
export const seenAt = (hook: string): string | undefined =>
  Object.hasOwn(hookMessages, hook) ? hookMessages[hook]?.[1] : undefined;

/** What packets of a hook are called. */
const seenText = (name: string, value: string, language: Language): string => {
  const seen = Object.values(hookMessages).find(([, english]) => english === value);
  return name === "seen" && seen ? formatMessage(seen, language) : value;
};

const foreignTexts = deviceTexts(foreignMessages, seenText);

/** One line of a device about configuration of another program, in English. */
export const foreignLine = foreignTexts.line;

/** A step of a drift for users; steps of the device itself, and unknown lines, are shown unchanged. */
export const driftStepText = foreignTexts.read;
