/** Types of the tables of migrations/0016-site.sql. */
import type { StandbyRole } from "@weft/contract/domains/devices/enums.ts";
import type {
  AclProtocol,
  CommandStatus,
  DialType,
} from "@weft/contract/domains/devices/settings-enums.ts";
import type { ColumnType, Generated, GeneratedAlways } from "kysely";

type Stamp = ColumnType<Date, Date | undefined, Date>;
type Json<T> = ColumnType<T, string, string>;

interface Created {
  created_by: number | null;
  created_at: Stamp;
  updated_at: Stamp;
}

/** Of a node, since migrations/0029-standby.sql. */
export interface StandbyPlace {
  hot_standby_group: number | null;
  hot_standby_role: StandbyRole | null;
  hot_standby_priority: number | null;
}

interface OfNode {
  enterprise_id: number;
  node_id: number;
}

interface CpeAreaTable extends Created {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  parent_id: number | null;
  name: string;
  sort: number;
}

interface NodeConfigTable extends OfNode {
  items: Json<Record<string, string | number>>;
  cug_enabled: Generated<boolean>;
  cug_bps: number | null;
  updated_at: Stamp;
}

interface DnsEntryTable extends Created, OfNode {
  id: GeneratedAlways<number>;
  enabled: boolean;
  type: number;
  domain: string;
  address: string;
  remark: string;
}

interface AclRuleTable extends Created, OfNode {
  id: GeneratedAlways<number>;
  enabled: boolean;
  section: number;
  sort: number;
  name: string;
  action: number;
  protocol: AclProtocol;
  src_ip: string | null;
  dst_ip: string | null;
  src_port: string | null;
  dst_port: string | null;
  remark: string;
}

interface CpePortTable extends OfNode {
  id: GeneratedAlways<number>;
  name: string;
  role: "wan" | "lan";
  speed_mbps: number | null;
  remark: string;
  updated_at: Stamp;
}

interface CpeLinkLogTable extends OfNode {
  id: GeneratedAlways<number>;
  online: boolean;
  address: string | null;
  at: Stamp;
}

interface DialTaskTable extends Created {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  name: string;
  type: DialType;
  target: string;
  interval_s: number;
  enabled: boolean;
  remark: string;
  last_run: Date | null;
}

interface BlacklistTable extends Created {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  type: string;
  value: string;
  enabled: boolean;
  remark: string;
}

interface FirmwareTaskTable extends Created {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  name: string;
  version: string;
  schedule: string;
  status: Generated<number>;
}

interface ChoiceTable {
  owner_id: number;
  enterprise_id: number;
  node_enterprise_id: number;
  node_id: number;
}

interface NodeCommandTable extends OfNode {
  id: GeneratedAlways<number>;
  dial_task_id: number | null;
  what: Json<Record<string, unknown>>;
  timeout_ms: number;
  status: Generated<CommandStatus>;
  reason: string | null;
  result: Json<unknown> | null;
  created_by: number;
  created_at: Stamp;
  expires_at: Date;
  ended_at: Date | null;
}

export interface SiteTables {
  cpe_area: CpeAreaTable;
  node_config: NodeConfigTable;
  dns_entry: DnsEntryTable;
  acl_rule: AclRuleTable;
  cpe_port: CpePortTable;
  cpe_link_log: CpeLinkLogTable;
  dial_task: DialTaskTable;
  dial_task_node: ChoiceTable;
  blacklist: BlacklistTable;
  blacklist_node: ChoiceTable;
  firmware_task: FirmwareTaskTable;
  firmware_task_node: ChoiceTable;
  node_command: NodeCommandTable;
}
