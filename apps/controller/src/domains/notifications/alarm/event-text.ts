/** The text of an alarm: the same on screens, in e-mails and in station messages. */

import type { Finding } from "@weft/contract/device/v1/findings.ts";
import { compileFailureText } from "@weft/contract/domains/delivery/failure-text.ts";
import { findingText } from "@weft/contract/domains/delivery/finding-text.ts";
import type { AlarmMetric } from "@weft/contract/domains/devices/enums.ts";
import {
  type AlarmLevel,
  metricUnit,
  reasonMetrics,
} from "@weft/contract/domains/notifications/enums.ts";
import { policyFindingText } from "@weft/contract/domains/policies/policy-finding-text.ts";
import {
  type FailedWave,
  failedWaveText,
} from "@weft/contract/domains/templates/wave-failure-text.ts";
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

/**
 * What of a device the event is about: an interface, the ends of a link, the text of a finding or a failure. What a device or
 * another release wrote, and has no text here, is shown as it is: one event must not keep all others from being sent.
 */
export function itemText(event: Pick<Reported, "metric" | "item_name">): Message {
  try {
    return knownItemText(event);
  } catch {
    return [event.item_name, event.item_name];
  }
}

/** @throws Error for an item that this release does not know */
function knownItemText({ metric, item_name }: Pick<Reported, "metric" | "item_name">): Message {
  if (metric === "config") {
    return [compileFailureText(item_name, "zh_cn"), compileFailureText(item_name, "en_gb")];
  }
  if (metric === "deny") {
    const finding = JSON.parse(item_name) as Parameters<typeof policyFindingText>[0];
    return [policyFindingText(finding, "zh_cn"), policyFindingText(finding, "en_gb")];
  }
  if (metric === "rollout") {
    const failed = JSON.parse(item_name) as FailedWave;
    return [failedWaveText(failed, "zh_cn"), failedWaveText(failed, "en_gb")];
  }
  if (metric !== "finding") return [item_name, item_name];
  const finding = JSON.parse(item_name) as Finding;
  return [findingText(finding, "zh_cn"), findingText(finding, "en_gb")];
}

/** For example "CPE 杭州门店-03 · 电信 WAN 链路中断", "CPE 杭州门店-03 · 电信 WAN link down". */
export function eventSentence(event: Reported): Message {
  const { metric, node_kind, node_name, item_name, value } = event;
  const texts: Readonly<Record<string, Message>> = contractMessages;
  const text = texts[`enum.alarmMetric.${metric}`] ?? [metric, metric];
  const item = itemText(event);
  const isReason = reasonMetrics.includes(metric);
  const reading = value === null ? "" : ` ${Math.round(value * 10) / 10} ${metricUnit(metric)}`;
  // A link is named by both its ends.
  const isOfLink = item_name.includes(" - ") && item_name.startsWith(node_name);
  return both((at) => {
    const part = isReason ? "" : item[at];
    const device = [`${node_kind.toUpperCase()} ${node_name}`, part].filter((text) => text !== "");
    const reason = isReason && item[at] !== "" ? `: ${item[at]}` : "";
    return `${isOfLink ? part : device.join(" · ")} ${text[at]}${reading}${reason}`;
  });
}

export const levelText = (level: AlarmLevel): Message =>
  contractMessages[`enum.alarmLevel.${level}`];
