import {
  lineReport,
  linkReport,
  performanceReport,
} from "@weft/contract/domains/monitoring/metrics.ts";
import type { FastifyInstance } from "fastify";
import { readableNode } from "#domains/devices/node/public.ts";
import { readLinkPoints } from "#domains/overlay/link/public.ts";
import { mountWithMetrics } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { rangeOf, rates, readerOf } from "#metrics-store/queries.ts";
import { linesOf } from "./store.ts";

/** Metrics over time. Access to the node or link is checked before metrics are read. */
export function metricsRoutes(app: FastifyInstance): void {
  mountWithMetrics(app, lineReport, async ({ id, ...range }, ctx) => {
    const lines = (await linesOf(ctx, id)) ?? refuse("notFound");
    const { stepSeconds, items } = await readerOf(ctx)(
      "line",
      await readableNode(ctx, id),
      null,
      rangeOf(range),
    );
    const lineItems = [...items].map(([name, buckets]) => {
      const line = lines.find((measuredLine) => measuredLine.interface_name === name);
      const [slot, lineName] = [line?.slot ?? null, line?.name ?? name];
      return { name, slot, lineName, points: buckets.map(rates) };
    });
    // A device reports all its interfaces; beside its lines they would only hide them.
    const shown = lines.length > 0 ? lineItems.filter(({ slot }) => slot !== null) : lineItems;
    return { step: stepSeconds, items: shown.sort((a, b) => (a.slot ?? 9) - (b.slot ?? 9)) };
  });
  mountWithMetrics(app, performanceReport, async ({ id, ...range }, ctx) => {
    if (!(await linesOf(ctx, id))) refuse("notFound");
    const { stepSeconds, items } = await readerOf(ctx)(
      "node",
      await readableNode(ctx, id),
      "",
      rangeOf(range),
    );
    const points = (items.get("") ?? []).map(({ at, values }) => ({
      time: new Date(at),
      cpu: values?.cpu_percent ?? null,
      mem: values?.memory_percent ?? null,
    }));
    return { step: stepSeconds, points };
  });
  mountWithMetrics(app, linkReport, ({ id, ...range }, ctx) => readLinkPoints(ctx, id, range));
}
