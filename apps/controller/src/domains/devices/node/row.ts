import type { cpe } from "@weft/contract/domains/devices/cpe.ts";
import type {
  EnrolmentState,
  StandbyRole,
  StandbyState,
} from "@weft/contract/domains/devices/enums.ts";
import type { HealthDetail, HealthState } from "@weft/contract/domains/devices/health.ts";
import type { pop } from "@weft/contract/domains/devices/pop.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import type { ListedRow } from "#kernel/resource-store.ts";
import { versionText } from "#kernel/row-version.ts";
import type { NodeValues } from "./store.ts";

/** A row of the node list as SQL gives it. */
export interface NodeRecord {
  readonly id: number;
  readonly enterprise_id: number;
  readonly enterprise_name: string | null;
  readonly name: string;
  readonly sn: string;
  readonly enabled: boolean;
  readonly x_mode: number;
  readonly regions: string;
  readonly longitude: string | null;
  readonly latitude: string | null;
  readonly bandwidth_kbps: number | null;
  readonly expire_at: Date | null;
  readonly remark: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly creator: string | null;
  readonly online: boolean | null;
  readonly last_seen: Date | null;
  readonly version: string | null;
  readonly running_serial: number | null;
  readonly desired_serial: number | null;
  readonly awaits_networks: boolean;
  readonly enrolment: EnrolmentState | null;
  readonly links: number;
  readonly links_up: number;
  readonly links_poor: number;
  readonly health: HealthState | null;
  readonly health_since: Date | null;
  readonly health_detail: HealthDetail | null;
  readonly wan_ip: string | null;
  readonly lan_ip: string | null;
  readonly area_id: number | null;
  readonly area_name: string | null;
  readonly time_zone: string | null;
  readonly parent_node_id: number | null;
  readonly hostid: string | null;
  readonly hot_standby_group: number | null;
  readonly hot_standby_role: StandbyRole | null;
  readonly hot_standby_priority: number | null;
  readonly standby_state: StandbyState | null;
  readonly standby_since: Date | null;
  readonly dynamic_dhcp: boolean;
  readonly token_state: 3 | 4 | 5;
  readonly is_push: boolean;
  readonly cug_enabled: boolean;
  readonly cug_bps: number | null;
  readonly space_id: number | null;
  readonly space_name: string | null;
  readonly row_version: number;
}

const degrees = (value: string | null): number | null => (value === null ? null : Number(value));

const shared = (row: NodeRecord) => ({
  rowVersion: versionText(row.row_version),
  id: row.id,
  groupid: row.enterprise_id,
  enterpriseName: row.enterprise_name ?? "",
  sn: row.sn,
  longitude: degrees(row.longitude),
  latitude: degrees(row.latitude),
  expireTime: row.expire_at,
  tokenState: row.token_state,
  linkStatus: row.online ? 1 : 0,
  version: row.version,
  lastOnline: row.last_seen,
  enrolment: row.enrolment,
  desiredSerial: row.desired_serial,
  runningSerial: row.running_serial,
  awaitsNetworks: row.awaits_networks,
  linksUp: row.links_up,
  links: row.links,
  linksPoor: row.links_poor,
  health: row.health,
  healthSince: row.health_since,
  healthDetail: row.health_detail ?? {},
  remark: row.remark,
  createTime: row.created_at,
  updateTime: row.updated_at,
  createBy: row.creator,
});

export const toCpeRow = (row: NodeRecord): ListedRow<typeof cpe> => ({
  ...shared(row),
  alias: row.name,
  enable: row.enabled,
  xMode: row.x_mode,
  wanIp: row.wan_ip,
  lanIp: row.lan_ip,
  areaId: row.area_id,
  areaName: row.area_name,
  timezone: row.time_zone,
  parentCpeId: row.parent_node_id,
  hostid: row.hostid,
  nDynamicdhcp: row.dynamic_dhcp,
  hotStandbyGroup: row.hot_standby_group,
  hotStandbyRole: row.hot_standby_role,
  hotStandbyPriority: row.hot_standby_priority,
  standbyState: row.standby_state,
  standbySince: row.standby_since,
  isPush: row.is_push,
  cugEnable: row.cug_enabled,
  cugBandwidth: row.cug_bps,
  netSpaceId: row.space_id,
  netSpaceName: row.space_name,
});

export const toPopRow = (row: NodeRecord): ListedRow<typeof pop> => ({
  ...shared(row),
  name: row.name,
  regions: row.regions,
  bandwidth: row.bandwidth_kbps,
  status: row.online ? 1 : 0,
  ip: row.wan_ip,
});

/** Fields of a node in drafts of both kinds. */
export const place = (draft: DraftOf<typeof cpe> | DraftOf<typeof pop>) => ({
  enterprise_id: draft.groupid,
  sn: draft.sn,
  longitude: draft.longitude,
  latitude: draft.latitude,
  expire_at: draft.expireTime,
  remark: draft.remark,
});

export const fromCpe = (draft: DraftOf<typeof cpe>): NodeValues => ({
  ...place(draft),
  name: draft.alias,
  enabled: draft.enable,
  x_mode: draft.xMode,
  area_id: draft.areaId,
  time_zone: draft.timezone,
});
