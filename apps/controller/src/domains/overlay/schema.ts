/** Types of the tables of the overlay (migrations/*-overlay.sql). */
import type { Generated } from "kysely";
import type { Changing, Members, OrderedMembers, Owned, Row, Stamp } from "#db/columns.ts";

interface NetSpaceTable extends Owned {
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

interface PopStrategyTable extends Owned {
  name: string;
}

interface PopGroupTable extends Row, Changing {
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

interface CircuitTable extends Owned {
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

interface CugTable extends Owned {
  name: string;
  bandwidth_bps: number;
  enabled: boolean;
}

interface SegmentRouteTable extends Owned {
  name: string;
  cpe_id: number | null;
  destination: string;
  metric: number;
  enabled: boolean;
}

interface RouteNoticeTable extends Owned {
  node_id: number;
  network: string;
  enabled: boolean;
}

interface VbrNodeTable extends Owned {
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

interface VbrTableTable extends Owned {
  vbr_node_id: number;
  network: string;
  next_hop: string;
}

export interface OverlayTables {
  net_space: NetSpaceTable;
  space_member: SpaceMemberTable;
  link: LinkTable;
  link_status: LinkStatusTable;
  link_choice: LinkChoiceTable;
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
