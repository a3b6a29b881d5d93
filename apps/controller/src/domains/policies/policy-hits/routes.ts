import { hitItem } from "@weft/contract/device/v1/hit-counter.ts";
import { hitReport, hitSummary } from "@weft/contract/domains/policies/policy-hits.ts";
import type { FastifyInstance } from "fastify";
import { readableNodes } from "#domains/devices/node/public.ts";
import { mountWithMetrics } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { rangeOf, readMetrics } from "#metrics-store/queries.ts";
import { countedObjects } from "./store.ts";

const dayMs = 86_400_000;

/** Hits of rules. Who may see an object and its devices is asked of the database before the metrics are. */
export function policyHitRoutes(app: FastifyInstance): void {
  mountWithMetrics(app, hitSummary, async ({ family, ids }, ctx) => {
    const seen = await countedObjects(ctx, family, ids);
    const items = ids.filter((id) => seen.ids.has(id)).map((id) => hitItem(family, id));
    const now = Date.now();
    const nodes = await readableNodes(ctx, seen.nodeIds);
    const totals = await readMetrics(ctx, ({ hits }) =>
      hits.totals(nodes, items, { from: now - dayMs, to: now }),
    );
    return ids.map((id) => {
      const total = totals.get(hitItem(family, id));
      return {
        id,
        count: total?.count ?? 0,
        lastTime: total ? new Date(total.lastAt) : null,
      };
    });
  });
  mountWithMetrics(app, hitReport, async ({ family, id, ...query }, ctx) => {
    const seen = await countedObjects(ctx, family, [id]);
    if (!seen.ids.has(id)) refuse("notFound");
    const nodes = await readableNodes(ctx, seen.nodeIds);
    const { stepSeconds, points } = await readMetrics(ctx, ({ hits }) =>
      hits.series(nodes, hitItem(family, id), rangeOf(query)),
    );
    return {
      step: stepSeconds,
      points: points.map(({ at, count }) => ({ time: new Date(at), count })),
    };
  });
}
