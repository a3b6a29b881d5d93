/** Types of the tables of notifications (migrations/*-notifications.sql). */
import type { Channel } from "@weft/contract/domains/notifications/channels.ts";
import type {
  AlarmLevel,
  AlarmMetric,
  CompareType,
  DeliveryPurpose,
  WebhookEvent,
  WindowKind,
} from "@weft/contract/domains/notifications/enums.ts";
import type { Language } from "@weft/contract/kernel/message.ts";
import type { Generated } from "kysely";
import type {
  Changing,
  Json,
  Members,
  OrderedMembers,
  Owned,
  Row,
  Stamp,
  Versioned,
} from "#db/columns.ts";

interface MessageReceiverTable extends Owned, Versioned {
  name: string;
  email: string | null;
  email_flag: boolean;
  phone: string | null;
  phone_flag: boolean;
  dingtalk: string | null;
  dingtalk_flag: Generated<boolean>;
  wechat: string | null;
  wechat_flag: Generated<boolean>;
  feishu: string | null;
  feishu_flag: Generated<boolean>;
  webhook: string | null;
  webhook_flag: Generated<boolean>;
  language: Language;
}

interface AlarmStrategyTable extends Owned, Versioned {
  name: string;
  share: Generated<boolean>;
  enabled: boolean;
  notified_at: Date | null;
}

interface StrategyReceiverTable {
  enterprise_id: number;
  strategy_id: number;
  receiver_id: number;
}

interface AlarmRuleTable extends Row, Changing, Versioned {
  strategy_id: number;
  metric: AlarmMetric;
  compare_type: CompareType | null;
  threshold: number | null;
  hysteresis: number;
  duration_s: number;
  recovery_s: number;
  level: AlarmLevel;
  enabled: boolean;
}

interface AlarmDueTable extends Row {
  node_id: number;
  due_at: Generated<Date>;
}

interface AlarmWatchTable {
  rule_id: number;
  node_id: number;
  item: string;
  enterprise_id: number;
  phase: "quiet" | "pending" | "open" | "clearing";
  since: Date;
  seen: number;
  at: Date;
  due_at: Date | null;
}

interface AlarmEventTable extends Row {
  created_by: number | null;
  strategy_id: number | null;
  strategy_name: string;
  rule_id: number | null;
  metric: AlarmMetric;
  level: AlarmLevel;
  compare_type: CompareType | null;
  threshold: number | null;
  node_id: number;
  node_kind: "cpe" | "pop";
  node_name: string;
  item: string;
  item_name: string;
  value: number | null;
  subject: string | null;
  relies: string[];
  parent_id: number | null;
  opened_at: Date;
  last_at: Date;
  count: Generated<number>;
  cleared_at: Date | null;
  raised_at: Generated<Date>;
  closed_at: Date | null;
  joined: Generated<boolean>;
  open_notified: Generated<boolean>;
  clear_notified: Generated<boolean>;
  handled_at: Date | null;
  handled_by: Generated<string>;
  handle_remark: Generated<string>;
  owner_id: number | null;
  owner_name: Generated<string>;
  snoozed_until: Date | null;
  snooze_note: Generated<string>;
  snooze_key: string | null;
  snooze_scope: number | null;
  maintenance_until: Date | null;
  places: Generated<string[]>;
}

interface AlarmWindowTable extends Owned, Versioned {
  reason: string;
  kind: WindowKind;
  scope_id: number | null;
  carrier: string;
  starts_at: Date;
  ends_at: Date;
}

interface MessageTable extends Row {
  user_id: number;
  type: number;
  /** Both languages: Chinese, English. */
  title: string[];
  content: string[];
  link: Generated<string>;
  read_at: Date | null;
  created_at: Stamp;
}

interface WebhookTable extends Owned, Versioned {
  name: string;
  url: string;
  events: string[];
  below: boolean;
  enabled: boolean;
}

interface ChannelSecretTable extends Row {
  receiver_id: number | null;
  webhook_id: number | null;
  field: string;
  sealed: Buffer;
}

interface WebhookEventTable extends Row {
  kind: WebhookEvent;
  node_id: number;
  facts: Json<Readonly<Record<string, unknown>>>;
  at: Stamp;
}

interface OutboxTable extends Row {
  channel: Channel;
  recipient: string;
  subject: Generated<string>;
  body: string;
  state: Generated<"waiting" | "sent" | "failed">;
  attempts: Generated<number>;
  next_at: Stamp;
  expires_at: Date;
  error: Generated<string>;
  created_at: Stamp;
  ended_at: Date | null;
  purpose: Generated<"private" | DeliveryPurpose>;
  receiver_id: number | null;
  webhook_id: number | null;
  event: Generated<string>;
  key: Generated<string>;
  by_hand: Generated<boolean>;
}

interface OutboxAttemptTable extends Row {
  message_id: number;
  at: Stamp;
  ended_at: Date | null;
  status: number | null;
  answer: Generated<string>;
}

export interface NotificationsTables {
  message_receiver: MessageReceiverTable;
  alarm_strategy: AlarmStrategyTable;
  alarm_strategy_node: Members;
  alarm_strategy_pop: OrderedMembers;
  alarm_strategy_receiver: StrategyReceiverTable;
  alarm_rule: AlarmRuleTable;
  alarm_due: AlarmDueTable;
  alarm_watch: AlarmWatchTable;
  alarm_event: AlarmEventTable;
  alarm_window: AlarmWindowTable;
  alarm_window_node: Members;
  alarm_window_pop: OrderedMembers;
  message: MessageTable;
  outbox: OutboxTable;
  outbox_attempt: OutboxAttemptTable;
  channel_secret: ChannelSecretTable;
  webhook: WebhookTable;
  webhook_event: WebhookEventTable;
}
