import { routeNotice } from "@weft/contract/domains/overlay/route-notice.ts";
import { cpes, node } from "#domains/devices/public.ts";
import { tableStore } from "#kernel/table-store.ts";

/** Networks that CPEs announce to their spaces; compile takes them up (domains/delivery/compile). */
export const routeNoticeStore = tableStore(routeNotice, {
  table: "route_notice",
  columns: {
    id: "id",
    cpeId: "node_id",
    network: "network",
    enable: "enabled",
    preference: "preference",
    remark: "remark",
    createTime: "created_at",
  },
  owner: { row: "cpeId", of: cpes },
  names: { cpeName: node("cpeId") },
  filters: { network: "contains" },
  constraints: { route_notice_once: { field: "network" } },
});
