/** Events as webhooks get them: pure. */
import type { AlarmMetric } from "@weft/contract/domains/devices/enums.ts";
import type { AlarmLevel, WebhookEvent } from "@weft/contract/domains/notifications/enums.ts";
import type { EventData } from "@weft/contract/domains/notifications/webhook-payload.ts";
import { eventSentence } from "#domains/notifications/alarm/public.ts";
import { hookBody } from "#domains/notifications/channel/public.ts";

/** An event as it was noted in the transaction that it is of. */
export interface Happened {
  readonly id: number;
  readonly enterprise_id: number;
  readonly kind: WebhookEvent;
  readonly node_id: number;
  readonly facts: Facts;
  readonly at: Date;
}

/** Names at that moment, and what its kind has besides. */
interface Facts extends Readonly<Record<string, unknown>> {
  readonly enterpriseName: string;
  readonly nodeKind: "cpe" | "pop";
  readonly nodeName: string;
  readonly sn: string;
}

export interface HappenedAlarm {
  readonly id: number;
  readonly level: AlarmLevel;
  readonly metric: AlarmMetric;
  readonly node_kind: "cpe" | "pop";
  readonly node_name: string;
  readonly item_name: string;
  readonly value: number | null;
  readonly strategy_name: string;
  readonly opened_at: Date;
  readonly cleared_at: Date | null;
  readonly parent_id: number | null;
  readonly maintenance_until: Date | null;
}

type About = Pick<EventData["device.online"], "enterprise" | "device">;

const aboutOf = ({ enterprise_id, node_id, facts }: Happened): About => ({
  enterprise: { id: enterprise_id, name: facts.enterpriseName },
  device: { id: node_id, kind: facts.nodeKind, name: facts.nodeName, sn: facts.sn },
});

function alarmOf(event: Happened, alarm: HappenedAlarm): EventData["alarm.opened"] {
  const [zh, en] = eventSentence(alarm);
  const { maintenance_until: until } = alarm;
  return {
    ...aboutOf(event),
    alarm: {
      id: alarm.id,
      level: alarm.level,
      metric: alarm.metric,
      item: alarm.item_name,
      value: alarm.value,
      policy: alarm.strategy_name,
      text: { zh_cn: zh, en_gb: en },
      opened: alarm.opened_at.toISOString(),
      ended: event.kind === "alarm.opened" ? null : (alarm.cleared_at?.toISOString() ?? null),
      cause: alarm.parent_id,
      planned: until !== null && until > event.at,
    },
  };
}

function changeOf(event: Happened): EventData["change.delivered"] {
  const { epoch, serial, outcome, cause, reason } = event.facts;
  return {
    ...aboutOf(event),
    change: {
      epoch: Number(epoch),
      serial: Number(serial),
      cause: String(cause),
      outcome: outcome as EventData["change.delivered"]["change"]["outcome"],
      reason: String(reason ?? ""),
    },
  };
}

const approvalOf = (event: Happened): EventData["cpe.approved"] => ({
  ...aboutOf(event),
  approvedBy: typeof event.facts.by === "string" ? event.facts.by : null,
});

type Compose = (event: Happened, alarm: HappenedAlarm | undefined) => object | null;
const ofAlarm: Compose = (event, alarm) => (alarm ? alarmOf(event, alarm) : null);

/** Decided for every event. */
const composers: Readonly<Record<WebhookEvent, Compose>> = {
  "alarm.opened": ofAlarm,
  "alarm.ended": ofAlarm,
  "change.delivered": changeOf,
  "change.failed": changeOf,
  "cpe.approved": approvalOf,
  "device.online": aboutOf,
  "device.offline": aboutOf,
};

/** The body of the deliveries of an event. @returns null: what it is about is gone */
export function payloadOf(event: Happened, alarm: HappenedAlarm | undefined): string | null {
  const data = composers[event.kind](event, alarm);
  return data && hookBody(event.kind, event.at, data);
}
