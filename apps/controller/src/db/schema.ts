/** Types of the tables of migrations/*.sql. Generated columns are optional on insert. */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { AccelerationTables } from "./schema-acceleration.ts";
import type { AlarmTables } from "./schema-alarm.ts";
import type { CircuitTables } from "./schema-circuit.ts";
import type { EnterpriseSettings, EnterpriseTables } from "./schema-enterprise.ts";
import type {
  CompileMarkTable,
  InstallationTable,
  NodeAdvertisementTable,
  NodePinTable,
  StoredCause,
  TaskTable,
} from "./schema-history.ts";
import type { LiveTables } from "./schema-live.ts";
import type { MobileAccountTables } from "./schema-mobile-account.ts";
import type { PeopleTables } from "./schema-people.ts";
import type { PolicyTables } from "./schema-policy.ts";
import type { RouterTemplateTables } from "./schema-router-template.ts";
import type { SignInTables } from "./schema-sign-in.ts";
import type { SiteTables, StandbyPlace } from "./schema-site.ts";

type Stamp = ColumnType<Date, Date | undefined, Date>;
type Json<T> = ColumnType<T, string, string>;
type DefaultedJson<T> = ColumnType<T, string | undefined, string>;

interface Created {
  created_by: number | null;
  created_at: Stamp;
}

interface EnterpriseTable extends Created, EnterpriseSettings {
  id: Generated<number>;
  parent_id: number | null;
  name: string;
  enterprise_type: number;
  is_agent: boolean;
  password_policy: Generated<string>;
  province: string;
  city: string;
  region: string;
  contact: string;
  phone: string | null;
  email: string | null;
  enabled: Generated<boolean>;
  remark: string;
  updated_at: Stamp;
}

interface SysUserTable extends Created {
  id: Generated<number>;
  enterprise_id: number;
  login_name: string;
  password_hash: string;
  name: Generated<string>;
  phone: string | null;
  email: string | null;
  remark: Generated<string>;
  enabled: Generated<boolean>;
  updated_at: Stamp;
}

interface RoleTable extends Created {
  id: Generated<number>;
  enterprise_id: number;
  code: string;
  name: string;
  role_type: number;
  data_scope: number;
  demands_factor: Generated<boolean>;
  remark: Generated<string>;
}

interface RolePermissionTable {
  role_id: number;
  enterprise_id: number;
  permission: string;
}

interface RoleEnterpriseTable {
  role_id: number;
  enterprise_id: number;
}

interface UserRoleTable {
  user_id: number;
  role_id: number;
  enterprise_id: number;
}

interface SessionTable {
  token_hash: Buffer;
  user_id: number;
  enterprise_id: number;
  family: string;
  address: string;
  agent: Generated<string>;
  created_at: Stamp;
  rotate_after: Date;
  expires_at: Date;
  issuer: string | null;
}

interface LoginRecordTable {
  id: GeneratedAlways<number>;
  enterprise_id: number | null;
  user_id: number | null;
  login_name: string;
  address: string;
  agent: string;
  success: boolean;
  reason: string | null;
  at: Stamp;
}

interface AuditTable {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  user_id: number;
  login_name: string;
  action: string;
  resource: string;
  row_id: number | null;
  old_value: Json<unknown> | null;
  new_value: Json<unknown> | null;
  address: string;
  request_id: string;
  at: Stamp;
}

interface NodeTable extends Created, StandbyPlace {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  is_push: Generated<boolean>;
  kind: "cpe" | "pop";
  name: string;
  sn: string;
  enabled: Generated<boolean>;
  x_mode: Generated<number>;
  regions: Generated<string>;
  longitude: string | number | null;
  latitude: string | number | null;
  bandwidth_kbps: number | null;
  expire_at: Date | null;
  remark: Generated<string>;
  updated_at: Stamp;
  area_id: number | null;
  parent_node_id: number | null;
}

interface ShareTable extends Created {
  enterprise_id: number;
  kind: "pop";
  row_id: number;
}

interface LineTable extends Created {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  node_id: number;
  slot: number;
  name: string;
  interface_name: string;
  addressing: "static" | "dhcp";
  ip: string | null;
  gateway: string | null;
  isp: string;
  line_quality: number;
  reachable: boolean;
  mtu: number;
  up_kbps: number | null;
  down_kbps: number | null;
  remark: string;
  updated_at: Stamp;
}

interface LanSectionTable extends Created {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  node_id: number;
  interface_name: string;
  network: string;
  network6: string | null;
  vlan: number | null;
  enable_forward: boolean;
  enable_direct: boolean;
  remark: string;
  updated_at: Stamp;
}

interface StaticRouteTable extends Created {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  node_id: number;
  enabled: boolean;
  destination: string;
  next_hop: string;
  metric: number;
  announce: boolean;
  remark: string;
  updated_at: Stamp;
}

interface NetSpaceTable extends Created {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  name: string;
  topology: number;
  remark: string;
  updated_at: Stamp;
}

interface SpaceMemberTable {
  enterprise_id: number;
  space_id: number;
  node_enterprise_id: number;
  node_id: number;
  kind: "cpe" | "pop";
}

interface ChangeTable {
  seq: GeneratedAlways<number>;
  enterprise_id: number;
  node_ids: number[];
  space_ids: number[];
  cause: string;
  request_id: Generated<string>;
  created_by: number;
  at: Stamp;
  done: Generated<boolean>;
}

interface LinkTable {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  space_id: number;
  index_in_space: number;
  a_node_id: number;
  a_slot: number;
  a_port: number;
  a_key: string;
  b_node_id: number;
  b_slot: number;
  b_port: number;
  b_key: string;
  created_at: Stamp;
}

interface LinkStatusTable {
  link_id: number;
  enterprise_id: number;
  up: boolean;
  rtt_ms: number | null;
  jitter_ms: number | null;
  loss_percent: number | null;
  in_rate: number | null;
  out_rate: number | null;
  changed_at: Stamp;
  at: Stamp;
}

interface StateSectionTable {
  node_id: number;
  hash: string;
  enterprise_id: number;
  content: Json<unknown>;
}

interface NodeStateTable {
  template_id: number | null;
  template_version: number | null;
  causes: DefaultedJson<StoredCause[]>;
  findings: DefaultedJson<Finding[]>;
  held: Generated<boolean>;
  restores: number | null;
  node_id: number;
  epoch: number;
  serial: number;
  enterprise_id: number;
  sections: Json<Record<string, string>>;
  digest: string;
  outcome: Generated<string>;
  reason: string | null;
  no_echo: Generated<boolean>;
  stopped: Generated<boolean>;
  retries: Generated<number>;
  cause: string;
  created_by: number;
  created_at: Stamp;
  delivered_at: Date | null;
  ended_at: Date | null;
}

interface NodeStatusTable {
  node_id: number;
  enterprise_id: number;
  online: Generated<boolean>;
  gateway: string | null;
  session_epoch: Generated<number>;
  last_seen: Date | null;
  version: string | null;
  running_epoch: number | null;
  running_serial: number | null;
  running_digest: string | null;
  drift_steps: number | null;
  drift_plan: DefaultedJson<string[]>;
  drift_since: Date | null;
  drift_ended_at: Date | null;
  capabilities: DefaultedJson<{ name: string; can: boolean; reason: string | null }[]>;
  lines: DefaultedJson<
    {
      interfaceName: string;
      addressing: "static" | "dhcp" | null;
      address: string | null;
      up: boolean;
    }[]
  >;
  tunnel_key: string | null;
  socket_address: string | null;
  replacements: DefaultedJson<{ at: number; from: string; to: string }[]>;
}

interface ClaimTable {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  node_id: number;
  token_hash: Buffer;
  sn: string;
  pre_approved: boolean;
  expires_at: Date;
  used_key: string | null;
  used_at: Date | null;
  revoked_at: Date | null;
  created_by: number;
  created_at: Stamp;
}

interface NodeIdentityTable {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  node_id: number;
  public_key: string;
  sn: string;
  address: string;
  state: "pending" | "approved" | "rejected" | "quarantined";
  created_at: Stamp;
  decided_at: Date | null;
  decided_by: string | null;
}

export interface Database
  extends PeopleTables,
    SignInTables,
    LiveTables,
    EnterpriseTables,
    RouterTemplateTables,
    SiteTables,
    PolicyTables,
    MobileAccountTables,
    CircuitTables,
    AccelerationTables,
    AlarmTables {
  enterprise: EnterpriseTable;
  sys_user: SysUserTable;
  role: RoleTable;
  role_permission: RolePermissionTable;
  role_enterprise: RoleEnterpriseTable;
  user_role: UserRoleTable;
  session: SessionTable;
  login_record: LoginRecordTable;
  audit: AuditTable;
  node: NodeTable;
  share: ShareTable;
  line: LineTable;
  lan_section: LanSectionTable;
  static_route: StaticRouteTable;
  net_space: NetSpaceTable;
  space_member: SpaceMemberTable;
  installation: InstallationTable;
  change: ChangeTable;
  compile_mark: CompileMarkTable;
  link: LinkTable;
  link_status: LinkStatusTable;
  state_section: StateSectionTable;
  node_state: NodeStateTable;
  node_pin: NodePinTable;
  node_face: NodeAdvertisementTable;
  node_status: NodeStatusTable;
  task: TaskTable;
  claim: ClaimTable;
  node_identity: NodeIdentityTable;
}
