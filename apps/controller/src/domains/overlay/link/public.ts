import type { linkReport } from "@weft/contract/domains/monitoring/metrics.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { readableNode } from "#domains/devices/node/public.ts";
import type { Context } from "#kernel/api.ts";
import type { WithMetrics } from "#kernel/metrics-access.ts";
import { refuse } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { type RequestedRange, rangeOf, rates, readerOf } from "#metrics-store/queries.ts";

/** The end of a link that probes it; null when the link is not there, or not for the caller. */
async function proberOf(ctx: Context, linkId: number): Promise<number | null> {
  const { rows } = await sql<{ a_node_id: number }>`
    select l.a_node_id from link l
    where l.id = ${linkId} and ${inCallerScope(ctx, "l.enterprise_id")}`.execute(ctx.db);
  return rows[0]?.a_node_id ?? null;
}

/** Quality and throughput of a link of the caller's over time. */
export async function readLinkPoints(
  ctx: Context & WithMetrics,
  linkId: number,
  query: RequestedRange,
): Promise<OutputOf<typeof linkReport>> {
  const prober = (await proberOf(ctx, linkId)) ?? refuse("notFound");
  const node = await readableNode(ctx, prober);
  const { stepSeconds, items } = await readerOf(ctx)("link", node, String(linkId), rangeOf(query));
  const points = (items.get(String(linkId)) ?? []).map((bucket) => ({
    ...rates(bucket),
    delay: bucket.values?.rtt_ms ?? null,
    jitter: bucket.values?.jitter_ms ?? null,
    loss: bucket.values?.loss_percent ?? null,
  }));
  return { step: stepSeconds, points };
}

/** What other features use of links. */
export {
  asnOf,
  exitAddresses,
  exitMark,
  exitNumberOf,
  innerAddresses,
  innerNetworks,
  linksPerSpace,
  routerIdOf,
  segmentMark,
  segmentsPerSpace,
} from "./inner-addresses.ts";
export {
  keepMeasures,
  keepTransitions,
  type LinkSample,
  type LinksKept,
  type MetricsRequest,
  type OwnMetrics,
  ownMetrics,
  type SentTransition,
} from "./metrics-store.ts";
export { isOfPair } from "./pair.ts";

export { renewLinkQuality } from "./quality.ts";
export { countLinks, type LinkGroup, linksAmong, linksOfNode, listLinks } from "./store.ts";
