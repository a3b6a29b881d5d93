import { line } from "@weft/contract/domains/devices/line.ts";
import { sql } from "kysely";
import { nodes, ofAllCpes } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { tableStore } from "#kernel/table-store.ts";

/** What the device reported of each line's interface, beside its configuration. */
async function reported(
  ctx: Context,
  rows: readonly { node_id: number; interface_name: string }[],
) {
  const nodeIds = [...new Set(rows.map((row) => row.node_id))];
  const found = nodeIds.length
    ? await ctx.db
        .selectFrom("node_status")
        .select(["node_id", "lines"])
        .where("node_id", "in", nodeIds)
        .execute()
    : [];
  const lines = new Map(
    found.flatMap((one) =>
      one.lines.map((each) => [`${one.node_id} ${each.interfaceName}`, each] as const),
    ),
  );
  return rows.map((row) => {
    const seen = lines.get(`${row.node_id} ${row.interface_name}`);
    return { currentIp: seen?.address ?? null, status: seen ? Number(seen.up) : null };
  });
}

export interface LanOfDevice {
  readonly interfaceName: string;
  /** The interface itself is the LAN's; with a VLAN tag it is another one. */
  readonly isUntagged: boolean;
  readonly network: string;
}

/** Networks that a device has on its LANs. */
export async function lansOf(ctx: Context, nodeId: number): Promise<LanOfDevice[]> {
  const { rows } = await sql<LanOfDevice>`
    select s.interface_name as "interfaceName", coalesce(s.vlan, 0) = 0 as "isUntagged", one.network
    from lan_section s
    cross join lateral unnest(array[s.network, s.network6]) as one(network)
    where s.node_id = ${nodeId} and one.network is not null`.execute(ctx.db);
  return rows;
}

export const lineStore = tableStore(line, {
  table: "line",
  columns: {
    id: "id",
    nodeId: "node_id",
    slot: "slot",
    name: "name",
    interfaceName: "interface_name",
    addressing: "addressing",
    ip: "ip",
    gateway: "gateway",
    publicIp: "public_ip",
    publicPort: "public_port",
    isp: "isp",
    lineQuality: "line_quality",
    reachable: "reachable",
    mtu: "mtu",
    upBandwidth: "up_kbps",
    downBandwidth: "down_kbps",
    remark: "remark",
  },
  owner: { row: "nodeId", of: nodes },
  // Lines of a shared POP are readable with it.
  shared: true,
  constraints: {
    line_slot: { field: "slot" },
    line_interface: { field: "interfaceName" },
    interface_owner: { field: "interfaceName" },
  },
  // For those who ask for several nodes at once.
  matches: (query) => {
    const { nodeIds } = query as { nodeIds?: readonly number[] };
    return nodeIds ? sql`node_id = any(${[...nodeIds]}::bigint[])` : ofAllCpes(query);
  },
  complete: reported,
});
