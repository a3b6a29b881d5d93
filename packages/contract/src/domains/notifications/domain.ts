/** Resources and calls of this domain, for the lists of all. */
import type { SamplesOf } from "#contract/samples/sample.ts";
import * as alarm from "./alarm.ts";
import * as alarmEvent from "./alarm-event.ts";
import * as message from "./message.ts";
import * as messageReceive from "./message-receive.ts";
import * as notice from "./notice.ts";

export const resources = {
  alarmStrategy: alarm.alarmStrategy,
  alarmRule: alarm.alarmRule,
  messageReceive: messageReceive.messageReceive,
} as const;

export const calls: readonly object[] = [message, notice, alarm, alarmEvent, messageReceive];

/** Drafts of each resource: one without does not compile. */
export const samples: SamplesOf<typeof resources> = {
  alarmStrategy: alarm.alarmStrategySamples,
  alarmRule: alarm.alarmRuleSamples,
  messageReceive: messageReceive.messageReceiveSamples,
};
