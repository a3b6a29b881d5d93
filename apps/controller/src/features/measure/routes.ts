import { lineReport, linkReport, performanceReport } from "@weft/contract/calls/measures.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import type { Bucket, MeasureStore, Range, Series } from "#measures/store.ts";
import { linesOf, proberOf } from "./store.ts";

interface Asked {
  readonly startTime: Date;
  readonly endTime: Date;
}

const rangeOf = ({ startTime, endTime }: Asked): Range => ({
  from: startTime.getTime(),
  to: endTime.getTime(),
});

const rates = ({ at, values }: Bucket) => ({
  time: new Date(at),
  inRate: values?.in_rate ?? null,
  outRate: values?.out_rate ?? null,
});

/** Figures over time. Who may see a node or link is asked of the database before the figures are. */
export function measureRoutes(app: FastifyInstance): void {
  const read = async (...asked: Parameters<MeasureStore["read"]>): Promise<Series> => {
    const { measures } = app.weft;
    if (!measures) return refuse("unavailable");
    return measures.read(...asked).catch((error: unknown) => {
      app.log.warn({ err: error }, "figures cannot be read");
      return refuse("unavailable");
    });
  };
  mount(app, lineReport, async ({ id, ...asked }, ctx) => {
    const lines = (await linesOf(ctx, id)) ?? refuse("notFound");
    const { stepSeconds, items } = await read("line", id, null, rangeOf(asked));
    const found = [...items].map(([name, buckets]) => {
      const line = lines.find((one) => one.interface_name === name);
      const [slot, lineName] = [line?.slot ?? null, line?.name ?? name];
      return { name, slot, lineName, points: buckets.map(rates) };
    });
    // A box reports all its interfaces; beside its lines they would only hide them.
    const own = lines.length > 0 ? found.filter(({ slot }) => slot !== null) : found;
    return { step: stepSeconds, items: own.sort((a, b) => (a.slot ?? 9) - (b.slot ?? 9)) };
  });
  mount(app, performanceReport, async ({ id, ...asked }, ctx) => {
    if (!(await linesOf(ctx, id))) refuse("notFound");
    const { stepSeconds, items } = await read("node", id, "", rangeOf(asked));
    const points = (items.get("") ?? []).map(({ at, values }) => ({
      time: new Date(at),
      cpu: values?.cpu_percent ?? null,
      mem: values?.memory_percent ?? null,
    }));
    return { step: stepSeconds, points };
  });
  mount(app, linkReport, async ({ id, ...asked }, ctx) => {
    const node = (await proberOf(ctx, id)) ?? refuse("notFound");
    const { stepSeconds, items } = await read("link", node, String(id), rangeOf(asked));
    const points = (items.get(String(id)) ?? []).map((bucket) => ({
      ...rates(bucket),
      delay: bucket.values?.rtt_ms ?? null,
      jitter: bucket.values?.jitter_ms ?? null,
      loss: bucket.values?.loss_percent ?? null,
    }));
    return { step: stepSeconds, points };
  });
}
