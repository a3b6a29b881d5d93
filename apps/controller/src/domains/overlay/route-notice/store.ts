import { routeNotice } from "@weft/contract/domains/overlay/route-notice.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { nodeNames } from "#kernel/node-names.ts";
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
  owner: { node: "cpeId", kind: "cpe" },
  filters: { network: "contains" },
  constraints: { route_notice_once: { field: "network" } },
  async complete(ctx, rows) {
    const names = await nodeNames(
      ctx,
      rows.map((row) => row.node_id),
    );
    return rows.map((row) => ({ cpeName: names.get(row.node_id) ?? "" }));
  },
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
