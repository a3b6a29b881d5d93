import {
  enterpriseLineList,
  enterpriseLineReport,
} from "@weft/contract/domains/monitoring/enterprise-report.ts";
import type { FastifyInstance } from "fastify";
import { readableNode } from "#domains/devices/node/public.ts";
import { mount, mountWithMetrics } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { readerOf } from "#metrics-store/queries.ts";
import { linePoints } from "./rules.ts";
import { findLine, listLines } from "./store.ts";

/** Calls of /customer/enterpriseReport (specification section 2.4). */
export function enterpriseReportRoutes(app: FastifyInstance): void {
  mount(app, enterpriseLineList, (input, ctx) => listLines(ctx, input));
  mountWithMetrics(
    app,
    enterpriseLineReport,
    async ({ groupid, lineId, startTime, endTime }, ctx) => {
      const line = (await findLine(ctx, groupid, lineId)) ?? refuse("notFound");
      const range = { from: startTime.getTime(), to: endTime.getTime() };
      const node = await readableNode(ctx, line.node);
      const read = async (kind: "line" | "link", item: string) =>
        (await readerOf(ctx)(kind, node, item, range)).items.get(item) ?? [];
      const reads = [
        read("line", line.interfaceName),
        ...line.links.map((link) => read("link", String(link))),
      ];
      const [buckets = [], ...links] = await Promise.all(reads);
      return linePoints(buckets, links);
    },
  );
}
