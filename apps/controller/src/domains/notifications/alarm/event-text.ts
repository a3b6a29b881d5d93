/** How an alarm is said: the same sentence on screens, in e-mails and in station messages. */
import {
  type AlarmLevel,
  type AlarmMetric,
  metricUnit,
} from "@weft/contract/domains/notifications/enums.ts";
import type { Message } from "@weft/contract/kernel/message.ts";
import { contractMessages } from "@weft/contract/messages.ts";

/** What the sentence is made of. */
export interface Reported {
  readonly level: AlarmLevel;
  readonly metric: AlarmMetric;
  readonly node_kind: "cpe" | "pop";
  readonly node_name: string;
  readonly item_name: string;
  /** Percent or ms. */
  readonly value: number | null;
}

const both = (make: (at: 0 | 1) => string): Message => [make(0), make(1)];

/** For example "CPE 杭州门店-03 · 电信 线路中断", "CPE 杭州门店-03 · 电信 Line down". */
export function eventSentence({
  metric,
  node_kind,
  node_name,
  item_name,
  value,
}: Reported): Message {
  const text = contractMessages[`enum.alarmMetric.${metric}`];
  // A link is named by both its ends.
  const reason = metric === "config" && item_name !== "" ? `: ${item_name}` : "";
  const isOfLink = item_name.includes(" - ") && item_name.startsWith(node_name);
  const where = isOfLink
    ? item_name
    : [`${node_kind.toUpperCase()} ${node_name}`, metric === "config" ? "" : item_name]
        .filter((part) => part !== "")
        .join(" · ");
  const reading = value === null ? "" : ` ${Math.round(value * 10) / 10} ${metricUnit(metric)}`;
  return both((at) => `${where} ${text[at]}${reading}${reason}`);
}

export const levelWord = (level: AlarmLevel): Message =>
  contractMessages[`enum.alarmLevel.${level}`];
