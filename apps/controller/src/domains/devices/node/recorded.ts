import type { Selectable } from "kysely";
import type { Database } from "#db/schema.ts";

const degrees = (value: unknown): number | null => (value === null ? null : Number(value));

/** A node as the operation log shows it: by the contract's names, which differ between the kinds. */
export function recordedNode(row: Selectable<Database["node"]>): object {
  const shared = {
    groupid: row.enterprise_id,
    sn: row.sn,
    longitude: degrees(row.longitude),
    latitude: degrees(row.latitude),
    expireTime: row.expire_at,
    remark: row.remark,
  };
  if (row.kind === "pop") {
    return { name: row.name, ...shared, regions: row.regions, bandwidth: row.bandwidth_kbps };
  }
  const { enabled: enable, x_mode: xMode, area_id: areaId, parent_node_id: parentCpeId } = row;
  const { time_zone: timezone } = row;
  return { alias: row.name, ...shared, enable, xMode, areaId, timezone, parentCpeId };
}
