/** The store of figures: rows in, buckets with their gaps out. */
import type { Engine } from "./engine.ts";
import {
  keptDays,
  type Level,
  levels,
  statements,
  type ValueColumn,
  valueColumns,
} from "./schema.ts";

export type MeasureKind = "line" | "link" | "node";
export type Values = { readonly [Column in ValueColumn]?: number | null };

export interface MeasureRow extends Values {
  readonly kind: MeasureKind;
  readonly node_id: number;
  /** Interface of a line, id of a link, empty for the node itself. */
  readonly item: string;
  /** Ms since 1970 on the controller's clock. */
  readonly at: number;
  readonly boot: string;
  readonly sequence: number;
}

export interface Range {
  /** Ms since 1970; `from` counts, `to` does not. */
  readonly from: number;
  readonly to: number;
}

export interface Bucket {
  /** Ms since 1970, start of the bucket. */
  readonly at: number;
  /** Null: nothing was measured in it, and nobody may draw a line through it. */
  readonly values: Readonly<Record<ValueColumn, number | null>> | null;
}

export interface MeasureStore {
  migrate(): Promise<void>;
  /** Resolves once the rows are durable. */
  insert(rows: readonly MeasureRow[]): Promise<void>;
  /** Highest number of a boot that is stored; 0: none. */
  lastSequence(nodeId: number, boot: string): Promise<number>;
  /** Buckets by item, every step of the range present in each. */
  read(kind: MeasureKind, nodeId: number, item: string | null, range: Range): Promise<Series>;
  /**
   * What all items of some nodes add up to, or those of them that are named; null where nothing of
   * any was measured.
   */
  total(
    kind: MeasureKind,
    nodeIds: readonly number[],
    range: Range,
    items?: readonly string[],
  ): Promise<Bucket[]>;
}

export interface Series {
  readonly stepSeconds: number;
  readonly items: ReadonlyMap<string, readonly Bucket[]>;
}

/** A chart has room for about so many points. */
const mostBuckets = 360;
// Twice the interval of the figures at least: a bucket that is empty then is a gap and no jitter.
const steps = [30, 60, 120, 300, 900, 1_800, 3_600, 7_200, 21_600, 86_400, 604_800] as const;
const dayMs = 86_400_000;

/** Bucket width and the level that answers it: the finest that the retention still has. */
export const choose = ({ from, to }: Range, now: number): { step: number; level: Level } => {
  const age = (now - from) / dayMs;
  const least = age > keptDays.minute ? 3_600 : age > keptDays.raw ? 60 : 30;
  const wide = (to - from) / 1_000 / mostBuckets;
  const step = steps.find((one) => one >= least && one >= wide) ?? 604_800;
  return { step, level: step >= 3_600 ? "hour" : step >= 60 ? "minute" : "raw" };
};

const sqlOf = (level: Level): string => {
  const { table, average } = levels[level];
  const columns = valueColumns.map((name) => `${average}(m.${name}) as v_${name}`).join(", ");
  return `select m.item as item,
    intDiv(toUnixTimestamp(m.at), {step:UInt32}) * {step:UInt32} as bucket, ${columns}
  from ${table} as m
  where m.kind = {kind:String} and m.node_id = {node:UInt32}
    and ({any:UInt8} = 1 or m.item = {item:String})
    and m.at >= toDateTime({from:UInt32}, 'UTC') and m.at < toDateTime({to:UInt32}, 'UTC')
  group by item, bucket order by item, bucket`;
};

/** Averages of each item first: items report at moments of their own. */
const totalSql = (level: Level): string => {
  const { table, average } = levels[level];
  const columns = valueColumns.map((name) => `${average}(m.${name}) as a_${name}`).join(", ");
  const sums = valueColumns.map((name) => `sum(a_${name}) as v_${name}`).join(", ");
  return `select bucket, ${sums} from (
    select m.node_id as node, m.item as item,
      intDiv(toUnixTimestamp(m.at), {step:UInt32}) * {step:UInt32} as bucket, ${columns}
    from ${table} as m
    where m.kind = {kind:String}
      and has(arrayMap(x -> toUInt32(x), splitByChar(',', {nodes:String})), m.node_id)
      and ({any:UInt8} = 1 or has(splitByChar(',', {items:String}), m.item))
      and m.at >= toDateTime({from:UInt32}, 'UTC') and m.at < toDateTime({to:UInt32}, 'UTC')
    group by node, item, bucket)
  group by bucket order by bucket`;
};

type Found = Readonly<Record<string, string | number | null>>;

/** Bounds of the buckets of a range, in seconds. */
const boundsOf = ({ from, to }: Range, step: number) => ({
  from: Math.floor(from / 1_000 / step) * step,
  to: Math.ceil(to / 1_000 / step) * step,
});

const timesOf = ({ from, to }: Range, step: number): number[] =>
  Array.from({ length: (to - from) / step }, (_, at) => from + at * step);

const bucketsOf = (found: ReadonlyMap<number, Found>, times: readonly number[]): Bucket[] =>
  times.map((at) => {
    const row = found.get(at);
    if (!row) return { at: at * 1_000, values: null };
    const value = (name: ValueColumn) => (row[`v_${name}`] as number | null) ?? null;
    const values = Object.fromEntries(valueColumns.map((name) => [name, value(name)]));
    return { at: at * 1_000, values: values as Record<ValueColumn, number | null> };
  });

/** A bare number would be read as seconds by one release and as ticks by another. */
const textOf = (at: number): string => new Date(at).toISOString().replace("T", " ").slice(0, 23);

export const createStore = (engine: Engine, now: () => number = Date.now): MeasureStore => ({
  migrate: async () => {
    for (const statement of statements) await engine.command(statement);
  },
  insert: (rows) =>
    engine.insert(
      "measure",
      rows.map((row) => ({ ...row, at: textOf(row.at) })),
    ),
  lastSequence: async (node, boot) => {
    const [row] = await engine.query(
      `select max(sequence) as last from measure
       where kind = 'node' and node_id = {node:UInt32} and boot = {boot:String}`,
      { node, boot },
    );
    return Number((row as { last?: number } | undefined)?.last ?? 0);
  },
  read: async (kind, node, item, range) => {
    const { step, level } = choose(range, now());
    const { from, to } = boundsOf(range, step);
    const any = item === null ? 1 : 0;
    const rows = await engine.query(sqlOf(level), {
      ...{ kind, node, step, from, to, any, item: item ?? "" },
    });
    const byItem = new Map<string, Map<number, Found>>();
    for (const row of rows as readonly Found[]) {
      const buckets = byItem.get(String(row.item)) ?? new Map<number, Found>();
      byItem.set(String(row.item), buckets.set(Number(row.bucket), row));
    }
    if (item !== null && !byItem.has(item)) byItem.set(item, new Map());
    const times = timesOf({ from, to }, step);
    const items = [...byItem].map(([name, found]) => [name, bucketsOf(found, times)] as const);
    return { stepSeconds: step, items: new Map(items) };
  },
  total: async (kind, nodeIds, range, items) => {
    const { step, level } = choose(range, now());
    const { from, to } = boundsOf(range, step);
    const times = timesOf({ from, to }, step);
    if (nodeIds.length === 0 || items?.length === 0) return bucketsOf(new Map(), times);
    const nodes = nodeIds.join(",");
    const asked = { any: items === undefined ? 1 : 0, items: items?.join(",") ?? "" };
    const rows = await engine.query(totalSql(level), { kind, nodes, step, from, to, ...asked });
    const found = (rows as readonly Found[]).map((row) => [Number(row.bucket), row] as const);
    return bucketsOf(new Map(found), times);
  },
});
