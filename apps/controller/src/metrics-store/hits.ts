/** How often rules of objects fitted: sums, unlike the means of the other metrics. */
import type { Engine } from "./engine.ts";
import { levels } from "./schema.ts";
import { boundsOf, choose, type Range, type ReadableNode, readableOf } from "./steps.ts";

export interface HitTotal {
  /** In the time that was asked for. */
  readonly count: number;
  /** Ms since 1970, start of the minute of the last hit. */
  readonly lastAt: number;
}

export interface HitSeries {
  readonly stepSeconds: number;
  /** Every step of the range, `at` in ms since 1970. */
  readonly points: readonly { readonly at: number; readonly count: number }[];
}

export interface HitStore {
  /** Hits of objects on some nodes together; those without any are not in it. */
  totals(
    nodes: readonly ReadableNode[],
    items: readonly string[],
    range: Range,
  ): Promise<ReadonlyMap<string, HitTotal>>;
  series(nodes: readonly ReadableNode[], item: string, range: Range): Promise<HitSeries>;
}

const totalsSql = (readable: string): string => `select m.item as item,
    sumIf(m.hits, m.at >= toDateTime({from:UInt32}, 'UTC')) as count,
    toUnixTimestamp(max(m.at)) as last
  from ${levels.minute.table} as m
  where m.kind = 'hit' and m.node_id in {nodes:Array(UInt32)} and m.item in {items:Array(String)}
    and m.at < toDateTime({to:UInt32}, 'UTC') ${readable}
  group by item`;

const seriesSql = (table: string, readable: string): string => `select
    intDiv(toUnixTimestamp(m.at), {step:UInt32}) * {step:UInt32} as bucket, sum(m.hits) as count
  from ${table} as m
  where m.kind = 'hit' and m.node_id in {nodes:Array(UInt32)} and m.item = {item:String}
    and m.at >= toDateTime({from:UInt32}, 'UTC') and m.at < toDateTime({to:UInt32}, 'UTC')
    ${readable}
  group by bucket`;

export const createHitStore = (engine: Engine, now: () => number): HitStore => ({
  totals: async (nodes, items, range) => {
    if (nodes.length === 0 || items.length === 0) return new Map();
    const { from, to } = boundsOf(range, 60);
    const readable = readableOf(nodes, "minute");
    const parameters = {
      nodes: nodes.map(({ id }) => id),
      items,
      from,
      to,
      ...readable.parameters,
    };
    const rows = (await engine.query(totalsSql(readable.sql), parameters)) as readonly {
      readonly item: string;
      readonly count: number;
      readonly last: number;
    }[];
    return new Map(
      rows.map(({ item, count, last }) => [
        item,
        { count: Number(count), lastAt: Number(last) * 1_000 },
      ]),
    );
  },
  series: async (nodes, item, range) => {
    const { step, level } = choose(range, now());
    const { from, to } = boundsOf(range, step);
    const readable = readableOf(nodes, level);
    const parameters = {
      nodes: nodes.map(({ id }) => id),
      item,
      step,
      from,
      to,
      ...readable.parameters,
    };
    const statement = seriesSql(levels[level].table, readable.sql);
    const rows = nodes.length === 0 ? [] : await engine.query(statement, parameters);
    const byBucket = new Map(
      (rows as readonly { bucket: number; count: number }[]).map((row) => [
        Number(row.bucket),
        Number(row.count),
      ]),
    );
    const points = Array.from({ length: (to - from) / step }, (_, at) => from + at * step).map(
      (at) => ({ at: at * 1_000, count: byBucket.get(at) ?? 0 }),
    );
    return { stepSeconds: step, points };
  },
});
