import {
  enterpriseLineList,
  enterpriseLineReport,
} from "@weft/contract/domains/monitoring/enterprise-report.ts";
import type { FastifyInstance } from "fastify";
import { readableNode } from "#domains/devices/node/public.ts";
import { mount } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { linePoints } from "./rules.ts";
import { findLine, listLines } from "./store.ts";

/** Calls of /customer/enterpriseReport (specification section 2.4). */
export function enterpriseReportRoutes(app: FastifyInstance): void {
  mount(app, enterpriseLineList, (input, ctx) => listLines(ctx, input));
  mount(app, enterpriseLineReport, async ({ groupid, lineId, startTime, endTime }, ctx) => {
    const line = (await findLine(ctx, groupid, lineId)) ?? refuse("notFound");
    const { measures } = app.weft;
    if (!measures) return refuse("unavailable");
    const range = { from: startTime.getTime(), to: endTime.getTime() };
    const node = await readableNode(ctx, line.node);
    const read = async (kind: "line" | "link", item: string) =>
      (await measures.read(kind, node, item, range)).items.get(item) ?? [];
    const reads = [
      read("line", line.interfaceName),
      ...line.links.map((link) => read("link", String(link))),
    ];
    const [buckets = [], ...links] = await Promise.all(reads).catch((error: unknown) => {
      app.log.warn({ err: error }, "metrics cannot be read");
      return refuse("unavailable");
    });
    return linePoints(buckets, links);
  });
}
