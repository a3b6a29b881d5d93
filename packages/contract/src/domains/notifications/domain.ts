/** Resources and calls of this domain, for the lists of all. */
import type { SamplesOf } from "#contract/samples/sample.ts";
import * as alarm from "./alarm.ts";
import * as alarmEvent from "./alarm-event.ts";
import * as alarmWindow from "./alarm-window.ts";
import * as message from "./message.ts";
import * as messageReceive from "./message-receive.ts";
import * as notice from "./notice.ts";
import * as webhook from "./webhook.ts";

export const resources = {
  alarmStrategy: alarm.alarmStrategy,
  alarmRule: alarm.alarmRule,
  alarmWindow: alarmWindow.alarmWindow,
  messageReceive: messageReceive.messageReceive,
  webhook: webhook.webhook,
} as const;

export const calls: readonly object[] = [
  message,
  notice,
  alarm,
  alarmEvent,
  messageReceive,
  webhook,
];

/** Drafts of each resource: one without does not compile. */
export const samples: SamplesOf<typeof resources> = {
  alarmStrategy: alarm.alarmStrategySamples,
  alarmRule: alarm.alarmRuleSamples,
  alarmWindow: alarmWindow.alarmWindowSamples,
  messageReceive: messageReceive.messageReceiveSamples,
  webhook: webhook.webhookSamples,
};
