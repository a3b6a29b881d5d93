/** The metrics store: rows in, buckets with their gaps out. */
import type { Engine } from "./engine.ts";
import { flowStatements } from "./flow-schema.ts";
import { createFlowStore, type FlowStore, type Page, type Paging } from "./flow-store.ts";
import { createHitStore, type HitStore } from "./hits.ts";
import { type PairBytes, type PairedLink, readPairs } from "./pair-bytes.ts";
import { RollUps } from "./roll-ups.ts";
import { type Level, levels, statements, type ValueColumn, valueColumns } from "./schema.ts";
import { boundsOf, choose, type Range } from "./steps.ts";

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
  read(kind: MeasureKind, nodeId: number, item: string | null, range: Range): Promise<Series>;
  /** Means of a short range for all nodes, by "node item"; what was not measured is not in it. */
  latest(kind: MeasureKind, range: Range): Promise<LatestMetrics>;
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
  /** Width in seconds of the buckets that a range is answered in. */
  stepOf(range: Range): number;
  /** Items of a node that there are metrics of, by name. */
  items(kind: MeasureKind, nodeId: number): Promise<string[]>;
  /** Bytes of links, those of one pair together; the pair that moved most first. */
  pairs(links: readonly PairedLink[], range: Range, paging: Paging): Promise<Page<PairBytes>>;
  readonly flows: FlowStore;
  readonly hits: HitStore;
}

export type LatestMetrics = ReadonlyMap<string, Readonly<Record<ValueColumn, number | null>>>;

export interface Series {
  readonly stepSeconds: number;
  readonly items: ReadonlyMap<string, readonly Bucket[]>;
}

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
      and m.node_id in {nodes:Array(UInt32)}
      and ({any:UInt8} = 1 or m.item in {items:Array(String)})
      and m.at >= toDateTime({from:UInt32}, 'UTC') and m.at < toDateTime({to:UInt32}, 'UTC')
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

const bucketsOf = (found: ReadonlyMap<number, Found>, times: readonly number[]): Bucket[] =>
  times.map((at) => {
    const row = found.get(at);
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
  const found = (rows as readonly Found[]).map(
    ({ node, boot, last }) => [`${node} ${boot}`, Number(last)] as const,
  );
  const last = new Map(found);
  return boots.map(({ nodeId, boot }) => last.get(`${nodeId} ${boot}`) ?? 0);
}

async function readItems(engine: Engine, kind: MeasureKind, node: number): Promise<string[]> {
  const rows = await engine.query(
    `select distinct item from measure_hour
     where kind = {kind:String} and node_id = {node:UInt32} order by item`,
    { kind, node },
  );
  return (rows as readonly Found[]).map(({ item }) => String(item));
}

interface Totalled {
  readonly kind: MeasureKind;
  readonly nodeIds: readonly number[];
  /** Only these; undefined: all. */
  readonly items: readonly string[] | undefined;
}

async function readTotal(
  engine: Engine,
  { kind, nodeIds, items }: Totalled,
  range: Range,
  now: number,
): Promise<Bucket[]> {
  const { step, level } = choose(range, now);
  const { from, to } = boundsOf(range, step);
  const times = timesOf({ from, to }, step);
  if (nodeIds.length === 0 || items?.length === 0) return bucketsOf(new Map(), times);
  const asked = { nodes: nodeIds, any: items === undefined ? 1 : 0, items: items ?? [] };
  const rows = await engine.query(totalSql(level), { kind, step, from, to, ...asked });
  const found = (rows as readonly Found[]).map((row) => [Number(row.bucket), row] as const);
  return bucketsOf(new Map(found), times);
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
  latest: async (kind, range) => {
    const [from, to] = [Math.floor(range.from / 1_000), Math.ceil(range.to / 1_000) + 1];
    const rows = await engine.query(latestSql, { kind, from, to });
    return new Map(
      (rows as readonly Found[]).map((row) => [`${row.node} ${row.item}`, valuesOf(row)]),
    );
  },
  total: (kind, nodeIds, range, items) => readTotal(engine, { kind, nodeIds, items }, range, now()),
  stepOf: (range) => choose(range, now()).step,
  items: (kind, node) => readItems(engine, kind, node),
  pairs: (links, range, paging) => readPairs(engine, links, range, paging, now()),
  flows: createFlowStore(engine),
  hits: createHitStore(engine, now),
});
