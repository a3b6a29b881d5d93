import { wanIpv6Capability } from "@weft/contract/device/v1/underlay.ts";
import type { Ipv6Mode } from "@weft/contract/domains/devices/enums.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { type Selectable, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { nodes, ofAllCpes, ownNode } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { tableStore } from "#kernel/table-store.ts";

type Reported = Pick<Selectable<Database["node_status"]>, "lines" | "ipv6_lines" | "capabilities">;

const instantOf = (ms: number | null | undefined): Date | null =>
  ms == null ? null : new Date(ms);

const noIpv6 = {
  ipv6State: null,
  currentIp6: null,
  currentGateway6: null,
  currentPrefix: null,
  ipv6Since: null,
  ipv6Until: null,
};

/** What a line has of IPv6, beside what is set. */
function reportedIpv6(mode: Ipv6Mode, interfaceName: string, status: Reported | null) {
  if (mode === "off") return noIpv6;
  const { capabilities = [], ipv6_lines: lines = null } = status ?? {};
  if (capabilities.length === 0) return { ...noIpv6, ipv6State: "unknown" as const };
  if (!capabilities.some(({ name, can }) => can && name === wanIpv6Capability))
    return { ...noIpv6, ipv6State: "unsupported" as const };
  const seen = lines?.find((seenIpv6) => seenIpv6.interfaceName === interfaceName);
  if (!seen) return { ...noIpv6, ipv6State: "unknown" as const };
  const { address, gateway, since, until, prefix } = seen;
  return {
    ipv6State: address === null ? ("waiting" as const) : ("up" as const),
    currentIp6: address,
    currentGateway6: gateway,
    currentPrefix: prefix,
    ipv6Since: address === null ? null : instantOf(since),
    ipv6Until: address === null ? null : instantOf(until),
  };
}

interface ReadLine {
  readonly interface_name: string;
  readonly ipv6_mode: Ipv6Mode;
  /** null: the device never reported. */
  readonly reported: Reported | null;
}

/** What the device reported of each line's interface, beside its configuration. */
async function reported(_ctx: Context, rows: readonly object[]) {
  return (rows as readonly ReadLine[]).map(({ interface_name, ipv6_mode, reported: status }) => {
    const seen = status?.lines.find((line) => line.interfaceName === interface_name);
    return {
      currentIp: seen?.address ?? null,
      status: seen ? Number(seen.up) : null,
      ...reportedIpv6(ipv6_mode, interface_name, status),
    };
  });
}

export interface LanOfDevice {
  readonly interfaceName: string;
  readonly vlan: number | null;
  readonly network: string;
}

/** Networks that a device has on its LANs, whoever made them. */
export async function lansOf(ctx: Context, nodeId: number): Promise<LanOfDevice[]> {
  const { rows } = await sql<LanOfDevice>`
    select s.interface_name as "interfaceName", s.vlan, one.network
    from weft.lans_on(${ownNode(ctx, nodeId)}) s
    cross join lateral unnest(array[s.network, s.network6]) as one(network)
    where one.network is not null`.execute(ctx.db);
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
    ipv6Mode: "ipv6_mode",
    ip6: "ip6",
    gateway6: "gateway6",
    prefixLength: "prefix_length",
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
  reads: {
    reported: sql`(select jsonb_build_object('lines', s.lines, 'ipv6_lines', s.ipv6_lines,
        'capabilities', s.capabilities) from node_status s where s.node_id = line.node_id)`,
  },
  complete: reported,
});
