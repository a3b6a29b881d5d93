import { routeNotice } from "@weft/contract/domains/overlay/route-notice.ts";
import { sql } from "kysely";
import { cpes, node } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { tableStore } from "#kernel/table-store.ts";
import type { SiteNetwork } from "./rules.ts";

/** Networks that CPEs announce to their spaces; compile takes them up (domains/delivery/compile). */
export const routeNoticeStore = tableStore(routeNotice, {
  table: "route_notice",
  columns: {
    id: "id",
    cpeId: "node_id",
    network: "network",
    enable: "enabled",
    remark: "remark",
    createTime: "created_at",
  },
  owner: { row: "cpeId", of: cpes },
  names: { cpeName: node("cpeId") },
  filters: { network: "contains" },
  constraints: { route_notice_once: { field: "network" } },
});

/** What the other sites of the CPE's spaces bring in. */
export async function networksOfPeers(ctx: Context, cpeId: number): Promise<SiteNetwork[]> {
  const { rows } = await sql<SiteNetwork>`
    with peers as (
      select distinct peer.node_id from space_member mine
      join space_member peer on peer.space_id = mine.space_id
      where mine.node_id = ${cpeId} and peer.node_id <> ${cpeId})
    select n.name as "nodeName", one.network, false as "isNotice"
    from peers join node n on n.id = peers.node_id
    join lan_section s on s.node_id = n.id and s.enable_forward
    cross join lateral unnest(array[s.network, s.network6]) as one(network)
    where one.network is not null
    union all
    select n.name, r.network, true
    from peers join node n on n.id = peers.node_id
    join route_notice r on r.node_id = n.id and r.enabled`.execute(ctx.db);
  return rows;
}
