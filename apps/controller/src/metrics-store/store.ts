/** The metrics store: rows in, buckets with their gaps out. */
import type { Engine } from "./engine.ts";
import { flowStatements } from "./flow-schema.ts";
import { createFlowStore, type FlowStore, type Page, type Paging } from "./flow-store.ts";
import { createHitStore, type HitStore } from "./hits.ts";
import { type PairBytes, type PairedLink, readPairs } from "./pair-bytes.ts";
import { RollUps } from "./roll-ups.ts";
import { type Level, levels, statements, type ValueColumn, valueColumns } from "./schema.ts";
import { boundsOf, choose, type Range, type ReadableNode, readableOf } from "./steps.ts";

export type MeasureKind = "line" | "link" | "node" | "hit";
export type Values = { readonly [Column in ValueColumn]?: number | null };

export interface MeasureRow extends Values {
  readonly kind: MeasureKind;
  readonly node_id: number;
  /** Interface of a line, id of a link, empty for the node itself; of hits `hitItem`. */
  readonly item: string;
  /** Ms since 1970 on the controller's clock. */
  readonly at: number;
  readonly boot: string;
  readonly sequence: number;
  /** Only of hits. */
  readonly hits?: number;
}

/** One run of the edge program on a node. */
export interface BootOf {
  readonly nodeId: number;
  readonly boot: string;
}

export interface Bucket {
  /** Ms since 1970, start of the bucket. */
  readonly at: number;
  /** Null: nothing was measured in it, and a chart must show a gap. */
  readonly values: Readonly<Record<ValueColumn, number | null>> | null;
}

export interface MeasureStore {
  migrate(): Promise<void>;
  /** Says before an orderly end that nothing is left to mend. */
  settle(): Promise<void>;
  /** Resolves once the rows are durable. */
  insert(rows: readonly MeasureRow[]): Promise<void>;
  /** Highest number stored of each of these boots, in their order; 0: none. */
  lastSequences(boots: readonly BootOf[]): Promise<number[]>;
  /** Buckets by item, every step of the range present in each. */
  read(kind: MeasureKind, node: ReadableNode, item: string | null, range: Range): Promise<Series>;
  /** The same of these items, of whichever of these nodes: only where an item's name is that of one node. */
  readItems(
    kind: MeasureKind,
    nodes: readonly ReadableNode[],
    items: readonly string[],
    range: Range,
  ): Promise<Series>;
  /** Means of a short range for all nodes, by "node item"; what was not measured is not in it. */
  latest(kind: MeasureKind, range: Range): Promise<LatestMetrics>;
  /**
   * What all items of some nodes add up to, or those of them that are named; null where nothing of
   * any was measured.
   */
  total(
    kind: MeasureKind,
    nodes: readonly ReadableNode[],
    range: Range,
    items?: readonly string[] | null,
  ): Promise<Bucket[]>;
  /** Width in seconds of the buckets that a range is answered in. */
  stepOf(range: Range): number;
  /** What the store is and holds now. */
  describe(): Promise<StoreFacts>;
  /** Items of a node that there are metrics of, by name. */
  items(kind: MeasureKind, node: ReadableNode): Promise<string[]>;
  /** Removes all that was measured of these nodes. Of the demonstration: no other metrics are taken back. */
  forget(nodeIds: readonly number[]): Promise<void>;
  /** Bytes of links, those of one pair together; the pair that moved most first. */
  pairs(links: readonly PairedLink[], range: Range, paging: Paging): Promise<Page<PairBytes>>;
  readonly flows: FlowStore;
  readonly hits: HitStore;
}

export interface StoreFacts {
  readonly version: string;
  /** Of its tables on the disk; null, as below: its login may not read it. */
  readonly bytes: number | null;
  /** Of the disk that has the least room. */
  readonly freeBytes: number | null;
  readonly totalBytes: number | null;
  /** When the newest sample of the last day was measured; null: there is none. */
  readonly newestAt: Date | null;
}

export type LatestMetrics = ReadonlyMap<string, Readonly<Record<ValueColumn, number | null>>>;

export interface Series {
  readonly stepSeconds: number;
  readonly items: ReadonlyMap<string, readonly Bucket[]>;
}

const sqlOf = (level: Level, readable: string): string => {
  const { table, average } = levels[level];
  const columns = valueColumns.map((name) => `${average}(m.${name}) as v_${name}`).join(", ");
  return `select m.item as item,
    intDiv(toUnixTimestamp(m.at), {step:UInt32}) * {step:UInt32} as bucket, ${columns}
  from ${table} as m
  where m.kind = {kind:String} and m.node_id in {nodes:Array(UInt32)}
    and ({any:UInt8} = 1 or m.item in {items:Array(String)})
    and m.at >= toDateTime({from:UInt32}, 'UTC') and m.at < toDateTime({to:UInt32}, 'UTC') ${readable}
  group by item, bucket order by item, bucket`;
};

/** Averages of each item first: items report at moments of their own. */
const totalSql = (level: Level, readable: string): string => {
  const { table, average } = levels[level];
  const columns = valueColumns.map((name) => `${average}(m.${name}) as a_${name}`).join(", ");
  const sums = valueColumns.map((name) => `sum(a_${name}) as v_${name}`).join(", ");
  return `select bucket, ${sums} from (
    select m.node_id as node, m.item as item,
      intDiv(toUnixTimestamp(m.at), {step:UInt32}) * {step:UInt32} as bucket, ${columns}
    from ${table} as m
    where m.kind = {kind:String}
      and m.node_id in {nodes:Array(UInt32)}
      and ({any:UInt8} = 1 or m.item in {items:Array(String)})
      and m.at >= toDateTime({from:UInt32}, 'UTC') and m.at < toDateTime({to:UInt32}, 'UTC') ${readable}
    group by node, item, bucket)
  group by bucket order by bucket`;
};

const latestSql = `select m.node_id as node, m.item as item,
    ${valueColumns.map((name) => `avg(m.${name}) as v_${name}`).join(", ")}
  from ${levels.raw.table} as m
  where m.kind = {kind:String} and m.at >= toDateTime({from:UInt32}, 'UTC')
    and m.at < toDateTime({to:UInt32}, 'UTC')
  group by node, item`;

type Found = Readonly<Record<string, string | number | null>>;

const timesOf = ({ from, to }: Range, step: number): number[] =>
  Array.from({ length: (to - from) / step }, (_, at) => from + at * step);

const valuesOf = (row: Found): Record<ValueColumn, number | null> => {
  const value = (name: ValueColumn) => (row[`v_${name}`] as number | null) ?? null;
  const values = Object.fromEntries(valueColumns.map((name) => [name, value(name)]));
  return values as Record<ValueColumn, number | null>;
};

const bucketsOf = (byTime: ReadonlyMap<number, Found>, times: readonly number[]): Bucket[] =>
  times.map((at) => {
    const row = byTime.get(at);
    if (!row) return { at: at * 1_000, values: null };
    return { at: at * 1_000, values: valuesOf(row) };
  });

/** A bare number would be read as seconds by one release and as ticks by another. */
const textOf = (at: number): string => new Date(at).toISOString().replace("T", " ").slice(0, 23);

async function readLastSequences(engine: Engine, boots: readonly BootOf[]): Promise<number[]> {
  const rows = await engine.query(
    `select node_id as node, boot, max(sequence) as last from measure
     where kind = 'node' and node_id in {nodes:Array(UInt32)} and boot in {boots:Array(String)}
     group by node, boot`,
    { nodes: boots.map(({ nodeId }) => nodeId), boots: boots.map(({ boot }) => boot) },
  );
  const sequences = (rows as readonly Found[]).map(
    ({ node, boot, last }) => [`${node} ${boot}`, Number(last)] as const,
  );
  const last = new Map(sequences);
  return boots.map(({ nodeId, boot }) => last.get(`${nodeId} ${boot}`) ?? 0);
}

async function readItems(engine: Engine, kind: MeasureKind, node: ReadableNode): Promise<string[]> {
  // Minutes of the hour in which it becomes readable; hours go further back than minutes do.
  const parts = (node.since === 0 ? (["hour"] as const) : (["minute", "hour"] as const)).map(
    (level) => ({ level, readable: readableOf([node], level) }),
  );
  const answers = await Promise.all(
    parts.map(({ level, readable }) =>
      engine.query(
        `select distinct m.item as item from ${levels[level].table} as m
         where m.kind = {kind:String} and m.node_id = {node:UInt32} ${readable.sql}`,
        { kind, node: node.id, ...readable.parameters },
      ),
    ),
  );
  const rows = answers.flat();
  return [...new Set((rows as readonly Found[]).map(({ item }) => String(item)))].sort();
}

const newestSql = `select version() as version, toUnixTimestamp64Milli(max(at)) as newest
  from ${levels.raw.table} where kind = 'node' and at > now() - interval 1 day`;
const bytesSql = `select sum(bytes_on_disk) as bytes from system.parts
  where active and database = currentDatabase()`;
const roomSql = `select free_space as free, total_space as total from system.disks
  where total_space > 0 order by free_space limit 1`;

async function describeStore(engine: Engine): Promise<StoreFacts> {
  // A login may use the tables of metrics and not be allowed to read those of the system.
  const [[store], [held], [disk]] = (await Promise.all([
    engine.query(newestSql, {}),
    engine.query(bytesSql, {}).catch(() => []),
    engine.query(roomSql, {}).catch(() => []),
  ])) as readonly (readonly Found[])[] as [Found[], Found[], Found[]];
  const newest = Number(store?.newest ?? 0);
  return {
    version: String(store?.version ?? ""),
    bytes: held ? Number(held.bytes) : null,
    freeBytes: disk ? Number(disk.free) : null,
    totalBytes: disk ? Number(disk.total) : null,
    newestAt: newest > 0 ? new Date(newest) : null,
  };
}

interface MetricsQuery {
  readonly kind: MeasureKind;
  readonly nodes: readonly ReadableNode[];
  /** Only these; null: all. */
  readonly items: readonly string[] | null;
}

async function readSeries(
  engine: Engine,
  { kind, nodes, items }: MetricsQuery,
  range: Range,
  now: number,
): Promise<Series> {
  const { step, level } = choose(range, now);
  const { from, to } = boundsOf(range, step);
  const byItem = new Map<string, Map<number, Found>>(
    (items ?? []).map((item) => [item, new Map<number, Found>()]),
  );
  const readable = readableOf(nodes, level);
  const parameters = {
    nodes: nodes.map(({ id }) => id),
    any: items === null ? 1 : 0,
    items: items ?? [],
    ...readable.parameters,
  };
  const isNone = nodes.length === 0 || items?.length === 0;
  const rows = isNone
    ? []
    : await engine.query(sqlOf(level, readable.sql), { kind, step, from, to, ...parameters });
  for (const row of rows as readonly Found[]) {
    const buckets = byItem.get(String(row.item)) ?? new Map<number, Found>();
    byItem.set(String(row.item), buckets.set(Number(row.bucket), row));
  }
  const times = timesOf({ from, to }, step);
  const series = [...byItem].map(([name, buckets]) => [name, bucketsOf(buckets, times)] as const);
  return { stepSeconds: step, items: new Map(series) };
}

async function readTotal(
  engine: Engine,
  { kind, nodes, items }: MetricsQuery,
  range: Range,
  now: number,
): Promise<Bucket[]> {
  const { step, level } = choose(range, now);
  const { from, to } = boundsOf(range, step);
  const times = timesOf({ from, to }, step);
  if (nodes.length === 0 || items?.length === 0) return bucketsOf(new Map(), times);
  const readable = readableOf(nodes, level);
  const parameters = {
    nodes: nodes.map(({ id }) => id),
    any: items === null ? 1 : 0,
    items: items ?? [],
    ...readable.parameters,
  };
  const statement = totalSql(level, readable.sql);
  const rows = await engine.query(statement, { kind, step, from, to, ...parameters });
  const buckets = (rows as readonly Found[]).map((row) => [Number(row.bucket), row] as const);
  return bucketsOf(new Map(buckets), times);
}

const dayMs = 86_400_000;

/**
 * Rows of one day are one part, whole or not there at all. Days in their order: the numbers of a boot
 * grow with time, and the highest that is stored says that all below it are.
 */
async function insertDays(
  engine: Engine,
  rollUps: RollUps,
  rows: readonly MeasureRow[],
): Promise<void> {
  const days = Map.groupBy(rows, ({ at }) => Math.floor(at / dayMs));
  for (const [, some] of [...days].sort(([one], [other]) => one - other)) {
    const texts = some.map((row) => ({ ...row, at: textOf(row.at) }));
    const insert = () => engine.insert("measure", texts);
    const times = some.map(({ at }) => at);
    // In an engine that others write into as well, an hour cannot be rebuilt alone.
    await (engine.isOwn ? rollUps.write(times, insert) : insert());
  }
}

export const createStore = (
  engine: Engine,
  now: () => number = Date.now,
  rollUps: RollUps = new RollUps(engine),
): MeasureStore => ({
  migrate: async () => {
    for (const statement of [...statements, ...flowStatements]) await engine.command(statement);
    if (engine.isOwn) await rollUps.repair();
  },
  settle: () => (engine.isOwn ? rollUps.settle() : Promise.resolve()),
  insert: (rows) => insertDays(engine, rollUps, rows),
  lastSequences: (boots) => readLastSequences(engine, boots),
  read: (kind, node, item, range) =>
    readSeries(engine, { kind, nodes: [node], items: item === null ? null : [item] }, range, now()),
  readItems: (kind, nodes, items, range) =>
    readSeries(engine, { kind, nodes, items }, range, now()),
  latest: async (kind, range) => {
    const [from, to] = [Math.floor(range.from / 1_000), Math.ceil(range.to / 1_000) + 1];
    const rows = await engine.query(latestSql, { kind, from, to });
    return new Map(
      (rows as readonly Found[]).map((row) => [`${row.node} ${row.item}`, valuesOf(row)]),
    );
  },
  total: (kind, nodes, range, items = null) =>
    readTotal(engine, { kind, nodes, items }, range, now()),
  stepOf: (range) => choose(range, now()).step,
  describe: () => describeStore(engine),
  items: (kind, node) => readItems(engine, kind, node),
  forget: (nodeIds) => rollUps.forget(nodeIds),
  pairs: (links, range, paging) => readPairs(engine, links, range, paging, now()),
  flows: createFlowStore(engine),
  hits: createHitStore(engine, now),
});
