/** Types of the tables of migrations/0022-alarms.sql and 0050-alarm-slices.sql. */
import type {
  AlarmLevel,
  AlarmMetric,
  CompareType,
} from "@weft/contract/domains/notifications/enums.ts";
import type { Language } from "@weft/contract/kernel/message.ts";
import type { ColumnType, Generated, GeneratedAlways } from "kysely";

type Stamp = ColumnType<Date, Date | undefined, Date>;

interface Created {
  created_by: number | null;
  created_at: Stamp;
  updated_at: Stamp;
}

interface MessageReceiverTable extends Created {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  name: string;
  email: string | null;
  email_flag: boolean;
  phone: string | null;
  phone_flag: boolean;
  language: Language;
  remark: string;
}

interface AlarmStrategyTable extends Created {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  name: string;
  share: Generated<boolean>;
  enabled: boolean;
  told_at: Date | null;
  remark: string;
}

interface StrategyNodeTable {
  owner_id: number;
  enterprise_id: number;
  node_enterprise_id: number;
  node_id: number;
}

interface StrategyReceiverTable {
  enterprise_id: number;
  strategy_id: number;
  receiver_id: number;
}

interface AlarmRuleTable extends Created {
  id: GeneratedAlways<number>;
  enterprise_id: number;
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

interface AlarmDueTable {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  node_id: number;
}

interface AlarmEventTable {
  id: GeneratedAlways<number>;
  enterprise_id: number;
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
  open_told: Generated<boolean>;
  clear_told: Generated<boolean>;
  handled_at: Date | null;
  handled_by: Generated<string>;
  handle_remark: Generated<string>;
}

export interface AlarmTables {
  message_receiver: MessageReceiverTable;
  alarm_strategy: AlarmStrategyTable;
  alarm_strategy_node: StrategyNodeTable;
  alarm_strategy_pop: StrategyNodeTable & { place: number };
  alarm_strategy_receiver: StrategyReceiverTable;
  alarm_rule: AlarmRuleTable;
  alarm_watch: AlarmWatchTable;
  alarm_due: AlarmDueTable;
  alarm_event: AlarmEventTable;
}
