/** Types of the tables of devices (migrations/*-devices.sql). */
import type { HostLease } from "@weft/contract/device/v1/leases.ts";
import type { StandbyPlace as SeenPlace } from "@weft/contract/device/v1/standby.ts";
import type { Ipv6Mode, StandbyRole } from "@weft/contract/domains/devices/enums.ts";
import type { CommandStatus, DialType } from "@weft/contract/domains/devices/settings-enums.ts";
import type { Generated, GeneratedAlways } from "kysely";
import type {
  Changing,
  Created,
  DefaultedJson,
  Json,
  Members,
  OrderedMembers,
  Owned,
  Row,
  Stamp,
  Versioned,
} from "#db/columns.ts";

/** Which CPE is which one's standby. */
interface StandbyPlace {
  hot_standby_group: number | null;
  hot_standby_role: StandbyRole | null;
  hot_standby_priority: number | null;
}

/** What a device reported of the IPv6 of a line; times in ms. */
interface SeenIpv6 {
  interfaceName: string;
  address: string | null;
  gateway: string | null;
  since: number;
  /** Null: it does not end. */
  until: number | null;
  prefix: string | null;
}

interface OfNode {
  enterprise_id: number;
  node_id: number;
}

interface CpeAreaTable extends Row, Changing {
  parent_id: number | null;
  name: string;
  sort: number;
}

interface NodeTable extends Row, Changing, StandbyPlace, Versioned {
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
  area_id: number | null;
  time_zone: string | null;
  parent_node_id: number | null;
}

/** When a node left an enterprise last. */
interface NodeMoveTable extends OfNode {
  at: Date;
}

interface ShareTable extends Created {
  enterprise_id: number;
  kind: "pop";
  row_id: number;
}

interface LineTable extends Owned, Versioned {
  node_id: number;
  slot: number;
  name: string;
  interface_name: string;
  addressing: "static" | "dhcp";
  ip: string | null;
  gateway: string | null;
  ipv6_mode: Generated<Ipv6Mode>;
  ip6: Generated<string | null>;
  gateway6: Generated<string | null>;
  prefix_length: Generated<number | null>;
  public_ip: Generated<string | null>;
  public_port: Generated<number | null>;
  isp: string;
  line_quality: number;
  reachable: boolean;
  mtu: number;
  up_kbps: number | null;
  down_kbps: number | null;
}

interface LanSectionTable extends Owned, Versioned {
  node_id: number;
  interface_name: string;
  network: string;
  network6: string | null;
  vlan: number | null;
  enable_forward: boolean;
  enable_direct: boolean;
  enable_central: Generated<boolean>;
  own_address: Generated<string | null>;
  dhcp_start: Generated<string | null>;
  dhcp_end: Generated<string | null>;
  ipv6_slot: Generated<number | null>;
  ipv6_subnet: Generated<number | null>;
}

interface CpePortTable extends OfNode {
  id: GeneratedAlways<number>;
  name: string;
  role: "wan" | "lan";
  speed_mbps: number | null;
  remark: string;
  updated_at: Stamp;
}

interface StaticRouteTable extends Owned, Versioned {
  node_id: number;
  enabled: boolean;
  destination: string;
  next_hop: string;
  metric: number;
  announce: boolean;
}

interface DnsEntryTable extends Owned, Versioned {
  node_id: number;
  enabled: boolean;
  type: number;
  domain: string;
  address: string;
}

interface DhcpReservationTable extends Owned, Versioned {
  node_id: number;
  mac: string;
  address: string;
  host_name: string | null;
}

interface NodeConfigTable extends OfNode, Versioned {
  items: Json<Record<string, string | number>>;
  cug_enabled: Generated<boolean>;
  cug_bps: number | null;
  updated_at: Stamp;
}

interface ClaimTable extends Row {
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

interface NodeIdentityTable extends Row {
  node_id: number;
  public_key: string;
  sn: string;
  address: string;
  state: "pending" | "approved" | "rejected" | "quarantined";
  created_at: Stamp;
  decided_at: Date | null;
  decided_by: string | null;
  pinned_key: string | null;
}

/** Written by a trigger, read by the functions of the gateway. */
interface RemovedDeviceTable {
  public_key: string;
  node_id: number;
  enterprise_id: number;
  sn: string;
  removed_at: Generated<Date>;
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
  /** Its device takes revisions of its state. */
  revises: GeneratedAlways<boolean>;
  lines: DefaultedJson<
    {
      interfaceName: string;
      addressing: "static" | "dhcp" | null;
      address: string | null;
      up: boolean;
    }[]
  >;
  /** With the moment of the first report that had it, ms; without: reported before that was kept. */
  leases: DefaultedJson<(HostLease & { readonly since?: number })[]>;
  lease_total: Generated<number>;
  ipv6_lines: Json<SeenIpv6[]> | null;
  standby_place: SeenPlace | null;
  standby_since: Date | null;
  tunnel_key: string | null;
  socket_address: string | null;
  replacements: DefaultedJson<{ at: number; from: string; to: string }[]>;
  news_pauses: Generated<number>;
  news_at: Date | null;
  news_due_at: Date | null;
  news_longest: Generated<number>;
  keyed_at: Date | null;
}

interface CpeLinkLogTable extends OfNode {
  id: GeneratedAlways<number>;
  online: boolean;
  address: string | null;
  at: Stamp;
}

interface DialTaskTable extends Owned, Versioned {
  name: string;
  type: DialType;
  target: string;
  interval_s: number;
  enabled: boolean;
  last_run: Date | null;
}

interface FirmwareTaskTable extends Row, Changing, Versioned {
  name: string;
  version: string;
  schedule: string;
  status: Generated<number>;
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

/** How often what devices report made states of a POP, by tenant and in all. */
interface ReportHoldDownTable {
  pop_id: number;
  /** Null: all tenants. */
  enterprise_id: number | null;
  turns: number;
  acted_at: Date;
}

export interface DevicesTables {
  cpe_area: CpeAreaTable;
  node: NodeTable;
  node_move: NodeMoveTable;
  share: ShareTable;
  branch_node: OrderedMembers;
  line: LineTable;
  report_hold_down: ReportHoldDownTable;
  lan_section: LanSectionTable;
  cpe_port: CpePortTable;
  static_route: StaticRouteTable;
  dns_entry: DnsEntryTable;
  dhcp_reservation: DhcpReservationTable;
  node_config: NodeConfigTable;
  claim: ClaimTable;
  node_identity: NodeIdentityTable;
  removed_device: RemovedDeviceTable;
  node_status: NodeStatusTable;
  cpe_link_log: CpeLinkLogTable;
  dial_task: DialTaskTable;
  dial_task_node: Members;
  firmware_task: FirmwareTaskTable;
  firmware_task_node: Members;
  node_command: NodeCommandTable;
}
