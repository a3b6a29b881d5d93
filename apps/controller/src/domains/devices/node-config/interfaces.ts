import type { popInterfaceList } from "@weft/contract/domains/devices/cpe-config.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { readableNode } from "#domains/devices/node/public.ts";
import type { Context } from "#kernel/api.ts";
import type { WithMetrics } from "#kernel/metrics-access.ts";
import { metricsOrNull } from "#metrics-store/queries.ts";
import type { ReadableNode } from "#metrics-store/steps.ts";
import type { Bucket } from "#metrics-store/store.ts";

interface Found {
  readonly id: number;
  readonly name: string;
  readonly ip: string | null;
  readonly up: boolean | null;
}

/** Rates count while they are not older than this. */
const recentMs = 180_000;

const lastValues = (buckets: readonly Bucket[]) =>
  buckets.findLast(({ values }) => values !== null)?.values ?? null;

/** Rates by interface of the last minutes; none when the metrics store is away. */
async function ratesOf(ctx: WithMetrics, node: ReadableNode) {
  const now = Date.now();
  const range = { from: now - recentMs, to: now };
  const series = await metricsOrNull(ctx, (measures) => measures.read("line", node, null, range));
  return new Map([...(series?.items ?? [])].map(([name, all]) => [name, lastValues(all)]));
}

/** Interfaces that a POP reported, in their order, with the rates that were measured last. */
export async function listInterfaces(
  ctx: Context & WithMetrics,
  { popId, page, limit }: InputOf<typeof popInterfaceList>,
) {
  const { rows } = await sql<Found>`
    select one.at::int as id, one.line ->> 'interfaceName' as name, one.line ->> 'address' as ip,
      (one.line ->> 'up')::boolean as up
    from node_status s
    cross join lateral jsonb_array_elements(s.lines) with ordinality as one (line, at)
    where s.node_id = ${popId} order by one.at`.execute(ctx.db);
  const cut = rows.slice((page - 1) * limit, page * limit);
  const rates = cut.length > 0 ? await ratesOf(ctx, await readableNode(ctx, popId)) : new Map();
  return {
    rows: cut.map(({ id, name, ip, up }) => ({
      id,
      popId,
      name,
      ip,
      inRate: rates.get(name)?.in_rate ?? null,
      outRate: rates.get(name)?.out_rate ?? null,
      status: up === null ? null : Number(up),
    })),
    count: rows.length,
  };
}
