/** Resources and calls of this domain, for the lists of all. */
import * as alarm from "./alarm.ts";
import * as alarmEvent from "./alarm-event.ts";
import * as message from "./message.ts";
import * as notice from "./notice.ts";

export const resources = {
  alarmStrategy: alarm.alarmStrategy,
  alarmRule: alarm.alarmRule,
  messageReceive: alarm.messageReceive,
} as const;

export const calls: readonly object[] = [message, notice, alarm, alarmEvent];
