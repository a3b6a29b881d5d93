/** Types of the tables of the overlay (migrations/*-overlay.sql). */
import type { TrafficClass } from "@weft/contract/device/v1/path-classes.ts";
import type { MoveReason, PathState } from "@weft/contract/device/v1/paths.ts";
import type { Generated } from "kysely";
import type {
  Changing,
  Members,
  OrderedMembers,
  Owned,
  Row,
  Stamp,
  Versioned,
} from "#db/columns.ts";

interface NetSpaceTable extends Owned, Versioned {
  name: string;
  topology: number;
}

interface SpaceMemberTable {
  enterprise_id: number;
  space_id: number;
  node_enterprise_id: number;
  node_id: number;
  kind: "cpe" | "pop";
}

interface LinkTable extends Row {
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
  place: number | null;
  is_leaving: Generated<boolean>;
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
  /** Since 1970; null: never measured. */
  minute: number | null;
  samples: Generated<number>;
  loss_sum: Generated<number>;
  rtt_sum: Generated<number>;
  jitter_sum: Generated<number>;
  /** Means of the last whole minutes, the newest first. */
  past_loss: Generated<number[]>;
  past_rtt: Generated<number[]>;
  past_jitter: Generated<number[]>;
}

interface LinkQualityTable {
  link_id: number;
  enterprise_id: number;
  metric: string;
  value: number | null;
  over: number | null;
  since: Date;
}

interface LinkPathTable {
  link_id: number;
  node_id: number;
  enterprise_id: number;
  state: PathState;
  used: boolean;
  behind: boolean;
  loss_percent: number | null;
  rtt_ms: number | null;
  jitter_ms: number | null;
  changed_at: Stamp;
  at: Stamp;
  /** By name since when, as ISO 8601. */
  classes: Partial<Record<TrafficClass, string>> | null;
}

/** Limits of each class: percent, and ms; null: no limit. */
interface TrafficClassTable extends Versioned {
  enterprise_id: number;
  enabled: boolean;
  realtime_loss: number;
  realtime_delay: number | null;
  realtime_jitter: number | null;
  realtime_dscp: string;
  transactional_loss: number;
  transactional_delay: number | null;
  transactional_jitter: number | null;
  transactional_dscp: string;
  bulk_loss: number;
  bulk_delay: number | null;
  bulk_jitter: number | null;
  bulk_dscp: string;
  default_loss: number;
  default_delay: number | null;
  default_jitter: number | null;
  updated_at: Stamp;
}

interface LinkMoveTable extends Row {
  space_id: number;
  node_id: number;
  from_link_id: number;
  to_link_id: number;
  boot: string;
  sequence: number;
  reason: MoveReason;
  from_loss: number | null;
  from_rtt: number | null;
  from_jitter: number | null;
  to_loss: number | null;
  to_rtt: number | null;
  to_jitter: number | null;
  at: Date;
  traffic_class: TrafficClass | null;
}

interface LinkChoiceTable extends Changing {
  id: Generated<number>;
  enterprise_id: number;
  space_id: number;
  a_node_id: number;
  a_slot: number;
  b_node_id: number;
  b_slot: number;
  made: boolean;
  enabled: boolean;
  preference: number | null;
  remark: string;
}

interface PopStrategyTable extends Owned, Versioned {
  name: string;
}

interface PopGroupTable extends Row, Changing, Versioned {
  strategy_id: number;
  name: string;
}

interface EnterpriseStrategyTable {
  enterprise_id: number;
  strategy_type: number;
  pop_strategy_id: number | null;
  check_server_ids: number[];
  updated_at: Stamp;
}

interface CircuitTable extends Owned, Versioned {
  name: string;
  source_enterprise_id: number;
  source_id: number;
  target_enterprise_id: number;
  target_id: number;
  bandwidth_kbps: number;
  guaranteed_kbps: number | null;
  line_quality: number;
  enabled: boolean;
  expire_at: Date | null;
}

interface CugTable extends Owned, Versioned {
  name: string;
  bandwidth_bps: number;
  enabled: boolean;
}

interface SegmentRouteTable extends Owned, Versioned {
  name: string;
  cpe_id: number | null;
  destination: string;
  metric: number;
  enabled: boolean;
}

interface RouteNoticeTable extends Owned, Versioned {
  node_id: number;
  network: string;
  enabled: boolean;
  /** Place among the sites that announce the same network; null: no other may. */
  preference: number | null;
}

interface VbrNodeTable extends Owned, Versioned {
  name: string;
  cloud: string;
  pop_id: number;
  vlan: number | null;
  local_ip: string | null;
  peer_ip: string | null;
  bandwidth: number | null;
  audit_status: Generated<number>;
  audit_by: string | null;
  audited_at: Date | null;
  audit_remark: string | null;
}

interface VbrTableTable extends Owned, Versioned {
  vbr_node_id: number;
  network: string;
  next_hop: string;
}

export interface OverlayTables {
  net_space: NetSpaceTable;
  space_member: SpaceMemberTable;
  link: LinkTable;
  link_status: LinkStatusTable;
  link_quality: LinkQualityTable;
  link_path: LinkPathTable;
  link_move: LinkMoveTable;
  link_choice: LinkChoiceTable;
  traffic_class: TrafficClassTable;
  pop_strategy: PopStrategyTable;
  pop_strategy_node: OrderedMembers;
  pop_group: PopGroupTable;
  pop_group_node: OrderedMembers;
  enterprise_strategy: EnterpriseStrategyTable;
  circuit: CircuitTable;
  cug: CugTable;
  cug_node: Members;
  segment_route: SegmentRouteTable;
  segment_route_node: OrderedMembers;
  route_notice: RouteNoticeTable;
  vbr_node: VbrNodeTable;
  vbr_table: VbrTableTable;
}
