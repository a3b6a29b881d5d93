import * as calls from "@weft/contract/domains/monitoring/node-report.ts";
import {
  clientFlow,
  clientJournal,
  clientPerformance,
} from "@weft/contract/domains/monitoring/node-report.ts";
import type { FastifyInstance } from "fastify";
import { readableNode } from "#domains/devices/node/public.ts";
import { linePoints } from "#domains/monitoring/enterprise-report/public.ts";
import { linesOf } from "#domains/monitoring/metrics/public.ts";
import { bytesOf, everyStep, ownersOf } from "#domains/monitoring/node-log/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import type { WithMetrics } from "#kernel/metrics-access.ts";
import { mount, mountWithMetrics } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import type { FlowBucket } from "#metrics-store/flow-store.ts";
import { rangeOf, rates, readerOf, readMetrics } from "#metrics-store/queries.ts";
import type { Range, ReadableNode } from "#metrics-store/steps.ts";
import type { Bucket } from "#metrics-store/store.ts";
import { findAvailability } from "./availability.ts";
import { findLine, hasAccount, listJournal, listNeighbors, probedLinks } from "./store.ts";

/** Reports of mobile accounts (section 2.4), out of the records of their sessions. */
function clientReportRoutes(app: FastifyInstance): void {
  const over = async <Point>(
    ctx: MetricsContext,
    { id, ...query }: { id: number; startTime: Date; endTime: Date },
    wire: (time: Date, bucket: FlowBucket | undefined) => Point,
  ): Promise<Point[]> => {
    if (!(await hasAccount(ctx, id))) refuse("notFound");
    const range = rangeOf(query);
    const filter = { accountId: id, enterpriseIds: ownersOf(ctx), range };
    return readMetrics(ctx, async (measures) => {
      const step = measures.stepOf(range);
      return everyStep(await measures.flows.over(filter, step), range, step, wire);
    });
  };
  mountWithMetrics(app, clientFlow, (input, ctx) =>
    over(ctx, input, (time, bucket) => ({
      time,
      inBytes: bucket?.in_bytes ?? null,
      outBytes: bucket?.out_bytes ?? null,
    })),
  );
  mountWithMetrics(app, clientPerformance, (input, ctx) =>
    over(ctx, input, (time, bucket) => ({
      time,
      delay: bucket?.rtt_ms ?? null,
      jitter: bucket?.jitter_ms ?? null,
      loss: bucket?.loss_percent ?? null,
    })),
  );
  mount(app, clientJournal, async (input, ctx) => {
    if (!(await hasAccount(ctx, input.id))) refuse("notFound");
    return listJournal(ctx, input);
  });
}

/** Metrics of several items as one line over time. Pure. */
type Values = NonNullable<Bucket["values"]>;

const maxOf = (values: readonly (number | null | undefined)[]): number | null => {
  const known = values.filter((value): value is number => typeof value === "number");
  return known.length === 0 ? null : Math.max(...known);
};

/** Quality of the worst link in each bucket; ms, ms, percent. */
const worstQuality = (links: readonly (readonly Bucket[])[], at: number) => {
  const values = links.map((buckets) => buckets.find((bucket) => bucket.at === at)?.values);
  const of = (pick: (value: Values) => number | null) =>
    maxOf(values.map((value) => value && pick(value)));
  return {
    delay: of(({ rtt_ms }) => rtt_ms),
    jitter: of(({ jitter_ms }) => jitter_ms),
    loss: of(({ loss_percent }) => loss_percent),
  };
};

/** The newest bucket with metrics. */
const newest = (buckets: readonly Bucket[]): Bucket | undefined =>
  buckets.findLast(({ values }) => values !== null);

/** Names of mobile interfaces begin with "ww" (systemd.net-naming-scheme(7): WWAN). */
const isMobile = (interfaceName: string): boolean => interfaceName.startsWith("ww");

/** Maximum age of the newest metrics. */
const recentMs = 300_000;

type MetricsContext = HandlerContext & WithMetrics;

interface NodeReportQuery {
  readonly id: number;
  readonly startTime: Date;
  readonly endTime: Date;
}

/** Metrics of the links that a node probes; those without any are left out. */
async function linkBuckets(ctx: MetricsContext, node: ReadableNode, range: Range) {
  const probed = await probedLinks(ctx, node.id);
  const { items } = await readerOf(ctx)("link", node, null, range);
  return probed.flatMap((link) => (items.has(link) ? [items.get(link) ?? []] : []));
}

/** Throughput of those interfaces of a node whose name is wanted. */
async function interfacesOf(
  ctx: MetricsContext,
  { id, ...query }: NodeReportQuery,
  isWanted: (name: string) => boolean,
) {
  const lines = (await linesOf(ctx, id)) ?? refuse("notFound");
  const node = await readableNode(ctx, id);
  const { stepSeconds, items } = await readerOf(ctx)("line", node, null, rangeOf(query));
  const wanted = [...items].filter(([name]) => isWanted(name));
  return {
    step: stepSeconds,
    items: wanted.map(([name, buckets]) => {
      const line = lines.find((measuredLine) => measuredLine.interface_name === name);
      const [slot, lineName] = [line?.slot ?? null, line?.name ?? name];
      return { name, slot, lineName, points: buckets.map(rates) };
    }),
  };
}

function mountMetrics(app: FastifyInstance): void {
  mountWithMetrics(app, calls.detailReport, async ({ id }, ctx) => {
    if (!(await linesOf(ctx, id))) refuse("notFound");
    const to = Date.now();
    const range = { from: to - recentMs, to };
    const node = await readableNode(ctx, id);
    const [series, traffic, links] = await Promise.all([
      readerOf(ctx)("node", node, "", range),
      readMetrics(ctx, (measures) => measures.total("line", [node], range)),
      linkBuckets(ctx, node, range),
    ]);
    const load = newest(series.items.get("") ?? []);
    const lines = newest(traffic);
    const times = [load, lines].flatMap((bucket) => (bucket ? [bucket.at] : []));
    const measuredAt = Math.max(0, ...links.map((link) => newest(link)?.at ?? 0));
    return {
      time: times.length === 0 ? null : new Date(Math.max(...times)),
      inRate: lines?.values?.in_rate ?? null,
      outRate: lines?.values?.out_rate ?? null,
      ...worstQuality(links, measuredAt),
      cpu: load?.values?.cpu_percent ?? null,
      mem: load?.values?.memory_percent ?? null,
    };
  });
  mountWithMetrics(app, calls.flowReport, async ({ id, ...query }, ctx) => {
    if (!(await linesOf(ctx, id))) refuse("notFound");
    const range = rangeOf(query);
    const node = await readableNode(ctx, id);
    return readMetrics(ctx, async (measures) => {
      const step = measures.stepOf(range);
      const buckets = await measures.total("line", [node], range);
      return {
        step,
        points: buckets.map((bucket) => ({ ...bytesOf(bucket, step), ...rates(bucket) })),
      };
    });
  });
  mountWithMetrics(app, calls.fourGReport, (input, ctx) => interfacesOf(ctx, input, isMobile));
  mountWithMetrics(app, calls.armFlowReport, (input, ctx) => interfacesOf(ctx, input, () => true));
}

/** Reports of nodes and lines (specification section 2.4), beside those of monitoring/metrics. */
export function nodeReportRoutes(app: FastifyInstance): void {
  mountMetrics(app);
  mountWithMetrics(app, calls.armPerformanceReport, async ({ id, ...query }, ctx) => {
    if (!(await linesOf(ctx, id))) refuse("notFound");
    const range = rangeOf(query);
    const node = await readableNode(ctx, id);
    const [{ stepSeconds, items }, links] = await Promise.all([
      readerOf(ctx)("node", node, "", range),
      linkBuckets(ctx, node, range),
    ]);
    const points = (items.get("") ?? []).map(({ at, values }) => ({
      time: new Date(at),
      cpu: values?.cpu_percent ?? null,
      mem: values?.memory_percent ?? null,
      ...worstQuality(links, at),
    }));
    return { step: stepSeconds, points };
  });
  mountWithMetrics(app, calls.lineTableReport, async ({ lineId, ...query }, ctx) => {
    const { links, ...line } = (await findLine(ctx, lineId)) ?? refuse("notFound");
    const node = await readableNode(ctx, line.nodeId);
    const of = async (kind: "line" | "link", item: string) =>
      (await readerOf(ctx)(kind, node, item, rangeOf(query))).items.get(item) ?? [];
    const [buckets = [], ...others] = await Promise.all([
      of("line", line.interfaceName),
      ...links.map((link) => of("link", String(link))),
    ]);
    return { ...line, points: linePoints(buckets, others) };
  });
  mount(
    app,
    calls.neighborReport,
    async ({ id }, ctx) => (await listNeighbors(ctx, id)) ?? refuse("notFound"),
  );
  mount(
    app,
    calls.availability,
    async (input, ctx) => (await findAvailability(ctx, input)) ?? refuse("notFound"),
  );
  clientReportRoutes(app);
}
