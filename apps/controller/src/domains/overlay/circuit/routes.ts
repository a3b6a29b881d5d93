import {
  circuit,
  circuitBytes,
  circuitReport,
  circuitReportAll,
  circuitReportByEnterprise,
} from "@weft/contract/domains/overlay/circuit.ts";
import type { FastifyInstance } from "fastify";
import { readableNodes } from "#domains/devices/node/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import type { WithMetrics } from "#kernel/metrics-access.ts";
import { mountWithMetrics } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { refuse } from "#kernel/refuse.ts";
import { rangeOf, rates, readerOf, readMetrics } from "#metrics-store/queries.ts";
import { bytesOf, circuitPoints } from "./rules.ts";
import { circuitStore, isCircuit, linksOfCircuits } from "./store.ts";

interface TimeRange {
  readonly startTime: Date;
  readonly endTime: Date;
}

const lastDay = (): TimeRange => {
  const endTime = new Date();
  return { startTime: new Date(endTime.getTime() - 86_400_000), endTime };
};

/** Calls of /customer/xwanCircuit (specification sections 2.3, 2.4 and 7.2). */
export function circuitRoutes(app: FastifyInstance): void {
  mountResource(app, circuit, circuitStore);
  const total = async (
    ctx: HandlerContext & WithMetrics,
    groupid: number | null,
    query: TimeRange,
  ) => {
    const links = await linksOfCircuits(ctx, { groupid });
    const nodes = await readableNodes(ctx, [...new Set(links.map(({ node }) => node))]);
    const items = links.map(({ id }) => String(id));
    return readMetrics(ctx, (measures) => measures.total("link", nodes, rangeOf(query), items));
  };
  mountWithMetrics(app, circuitReport, async ({ id, ...query }, ctx) => {
    if (!(await isCircuit(ctx, id))) refuse("notFound");
    const links = await linksOfCircuits(ctx, { id });
    const nodes = await readableNodes(
      ctx,
      links.map(({ node }) => node),
    );
    const measured = links.map(async (link, at) => {
      const item = String(link.id);
      const node = nodes[at] ?? refuse("notFound");
      const { items } = await readerOf(ctx)("link", node, item, rangeOf(query));
      return { buckets: items.get(item) ?? [], fromSource: link.fromSource };
    });
    return circuitPoints(await Promise.all(measured));
  });
  mountWithMetrics(app, circuitReportAll, async (query, ctx) =>
    (await total(ctx, null, query)).map(rates),
  );
  mountWithMetrics(app, circuitReportByEnterprise, async ({ groupid, ...query }, ctx) =>
    (await total(ctx, groupid, query)).map(rates),
  );
  mountWithMetrics(app, circuitBytes, async ({ groupid, startTime, endTime }, ctx) => {
    const query = startTime && endTime ? { startTime, endTime } : lastDay();
    const buckets = await total(ctx, groupid, query);
    const [first, second] = buckets;
    const seconds = first && second ? (second.at - first.at) / 1_000 : 0;
    return buckets.map(rates).map(({ time, inRate, outRate }) => ({
      time,
      inBytes: bytesOf(inRate, seconds),
      outBytes: bytesOf(outRate, seconds),
    }));
  });
}
