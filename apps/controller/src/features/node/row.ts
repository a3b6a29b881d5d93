import type { EnrolmentState } from "@weft/contract/enums/node.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import type { cpe } from "@weft/contract/resources/cpe.ts";
import type { pop } from "@weft/contract/resources/pop.ts";

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
  readonly enrolment: EnrolmentState | null;
  readonly links: number;
  readonly links_up: number;
  readonly wan_ip: string | null;
  readonly lan_ip: string | null;
  readonly space_id: number | null;
  readonly space_name: string | null;
}

const degrees = (value: string | null): number | null => (value === null ? null : Number(value));

const shared = (row: NodeRecord) => ({
  id: row.id,
  groupid: row.enterprise_id,
  enterpriseName: row.enterprise_name ?? "",
  sn: row.sn,
  longitude: degrees(row.longitude),
  latitude: degrees(row.latitude),
  expireTime: row.expire_at,
  linkStatus: row.online ? 1 : 0,
  version: row.version,
  lastOnline: row.last_seen,
  enrolment: row.enrolment,
  desiredSerial: row.desired_serial,
  runningSerial: row.running_serial,
  linksUp: row.links_up,
  links: row.links,
  remark: row.remark,
  createTime: row.created_at,
  updateTime: row.updated_at,
  createBy: row.creator,
});

export const toCpeRow = (row: NodeRecord): RowOf<typeof cpe> => ({
  ...shared(row),
  alias: row.name,
  enable: row.enabled,
  xMode: row.x_mode,
  wanIp: row.wan_ip,
  lanIp: row.lan_ip,
  netSpaceId: row.space_id,
  netSpaceName: row.space_name,
});

export const toPopRow = (row: NodeRecord): RowOf<typeof pop> => ({
  ...shared(row),
  name: row.name,
  regions: row.regions,
  bandwidth: row.bandwidth_kbps,
  status: row.online ? 1 : 0,
  ip: row.wan_ip,
});
