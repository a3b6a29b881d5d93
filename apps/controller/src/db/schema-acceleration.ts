/** Types of the tables of migrations/0021-acceleration.sql. */
import type { DestinationKind } from "@weft/contract/domains/policies/acceleration-enums.ts";
import type { ColumnType, Generated, GeneratedAlways } from "kysely";

type Stamp = ColumnType<Date, Date | undefined, Date>;

interface Owned {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  remark: string;
  created_by: number | null;
  created_at: Stamp;
  updated_at: Stamp;
}

interface SaasGroupTable extends Owned {
  kind: DestinationKind;
  name: string;
  members: string[];
  pop_id: number | null;
  enabled: boolean;
}

interface XwanSpeedTable extends Owned {
  name: string;
  type: number;
  enabled: boolean;
}

interface XwanSpeedDefineTable extends Owned {
  speed_id: number;
  kind: DestinationKind;
  value: string;
}

interface SegmentRouteTable extends Owned {
  name: string;
  cpe_id: number | null;
  destination: string;
  metric: number;
  enabled: boolean;
}

interface SegmentRouteNodeTable {
  enterprise_id: number;
  owner_id: number;
  node_enterprise_id: number;
  node_id: number;
  place: number;
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

export interface AccelerationTables {
  saas_group: SaasGroupTable;
  xwan_speed: XwanSpeedTable;
  xwan_speed_define: XwanSpeedDefineTable;
  segment_route: SegmentRouteTable;
  segment_route_node: SegmentRouteNodeTable;
  route_notice: RouteNoticeTable;
  vbr_node: VbrNodeTable;
  vbr_table: VbrTableTable;
}
