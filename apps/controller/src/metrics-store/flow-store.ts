/** Records of flows: in by one way, out as pages and rankings made by the engine. */
import type { Engine, Parameters } from "./engine.ts";
import { type FlowRow, keptDays } from "./flow-schema.ts";
import type { Range } from "./steps.ts";

/** Which records; every part narrows. */
export interface FlowFilter {
  /** The device that saw them. */
  readonly nodeId?: number;
  readonly accountId?: number;
  /** Whose traffic; null: that of all. */
  readonly enterpriseIds: readonly number[] | null;
  readonly range: Range;
  /** True: only what a rule refused. */
  readonly denied?: true;
  /** True: only web requests. */
  readonly visits?: true;
  /** Part of the web address. */
  readonly url?: string;
  /** Either end's address. */
  readonly ip?: string;
}

export interface Paging {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly count: number;
}

export interface Ranked {
  readonly name: string;
  readonly bytes: number;
  readonly count: number;
}

export interface Connection {
  readonly at: number;
  readonly source: string;
  readonly destination: string;
  readonly destination_port: number;
  readonly protocol: number;
  readonly bytes: number;
  readonly count: number;
}

/** Means of what was measured in a bucket, and the sums of its bytes. */
export interface FlowBucket {
  readonly at: number;
  readonly in_bytes: number;
  readonly out_bytes: number;
  readonly rtt_ms: number | null;
  readonly jitter_ms: number | null;
  readonly loss_percent: number | null;
}

const rankings = {
  application: "if(application = '', 'other', toString(application))",
  user: "if(user = '', source, user)",
  url: "domain(concat('http://', url))",
} as const;
export type Ranking = keyof typeof rankings;

export interface FlowStore {
  /** Entry point for flow exporters. Resolves once the rows are durable. */
  insert(rows: readonly FlowRow[]): Promise<void>;
  /** Removes records of an enterprise that began more than so many days ago. */
  keepDays(enterpriseId: number, days: number): Promise<void>;
  /** Whether there is any record. */
  has(filter: FlowFilter): Promise<boolean>;
  /** Names with the most bytes; of refused ones with the most tries. */
  rank(by: Ranking, filter: FlowFilter, paging: Paging): Promise<Page<Ranked>>;
  /** Records, newest first. */
  list(filter: FlowFilter, paging: Paging): Promise<Page<FlowRow>>;
  /** Sources with the services that they used, newest first. */
  connections(filter: FlowFilter, paging: Paging): Promise<Page<Connection>>;
  /** Sums and means of buckets of this many seconds; buckets without a record are left out. */
  over(filter: FlowFilter, stepSeconds: number): Promise<readonly FlowBucket[]>;
}

type Found = Readonly<Record<string, string | number | boolean | null>>;

/** A bare number would be read as seconds by one release and as ticks by another. */
const textOf = (at: number): string => new Date(at).toISOString().replace("T", " ").slice(0, 23);

/** A predicate with its parameters: nothing of a filter is in the text itself. */
const where = (filter: FlowFilter): { sql: string; parameters: Parameters } => {
  const parts = [
    "at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')",
    "at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')",
  ];
  const parameters: Record<string, string | number> = { ...filter.range };
  const add = (sql: string, values: Parameters): void => {
    parts.push(sql);
    Object.assign(parameters, values);
  };
  if (filter.nodeId !== undefined) add("node_id = {node:UInt32}", { node: filter.nodeId });
  if (filter.accountId !== undefined)
    add("account_id = {account:UInt32}", { account: filter.accountId });
  if (filter.enterpriseIds !== null) {
    // An empty text has no number in it, and matches nothing.
    add("has(splitByChar(',', {owners:String}), toString(enterprise_id))", {
      owners: filter.enterpriseIds.join(","),
    });
  }
  if (filter.denied) parts.push("denied");
  if (filter.visits) parts.push("url != ''");
  if (filter.url) add("positionCaseInsensitiveUTF8(url, {url:String}) > 0", { url: filter.url });
  if (filter.ip) add("(source = {ip:String} or destination = {ip:String})", { ip: filter.ip });
  return { sql: parts.join(" and "), parameters };
};

const number = (value: unknown): number => Number(value ?? 0);
const measured = (value: unknown): number | null => (value === null ? null : Number(value));

const toFlow = (row: Found): FlowRow => ({
  node_id: number(row.node_id),
  enterprise_id: number(row.enterprise_id),
  account_id: number(row.account_id),
  at: number(row.ms),
  duration_ms: number(row.duration_ms),
  source: String(row.source),
  source_port: number(row.source_port),
  destination: String(row.destination),
  destination_port: number(row.destination_port),
  protocol: number(row.protocol),
  application: String(row.application),
  user: String(row.user),
  url: String(row.url),
  denied: row.denied === true || row.denied === 1,
  in_bytes: number(row.in_bytes),
  out_bytes: number(row.out_bytes),
  rtt_ms: measured(row.rtt_ms),
  jitter_ms: measured(row.jitter_ms),
  loss_percent: measured(row.loss_percent),
});

const toConnection = (row: Found): Connection => ({
  at: number(row.ms),
  source: String(row.source),
  destination: String(row.destination),
  destination_port: number(row.destination_port),
  protocol: number(row.protocol),
  bytes: number(row.bytes),
  count: number(row.tries),
});

const toRanked = (row: Found): Ranked => ({
  name: String(row.name),
  bytes: number(row.bytes),
  count: number(row.tries),
});

const toBucket = (row: Found): FlowBucket => ({
  at: number(row.bucket) * 1_000,
  in_bytes: number(row.moved_in),
  out_bytes: number(row.moved_out),
  rtt_ms: measured(row.rtt),
  jitter_ms: measured(row.jitter),
  loss_percent: measured(row.loss),
});

interface Paged<Row> {
  readonly select: string;
  /** Columns that make one row out of many; none: every record is one. */
  readonly group: string | null;
  readonly order: string;
  read(row: Found): Row;
}

const records: Paged<FlowRow> = {
  select: "*, toUnixTimestamp64Milli(at) as ms",
  group: null,
  order: "at desc, source, source_port, destination",
  read: toFlow,
};

const service = "source, destination, destination_port, protocol";
const connections: Paged<Connection> = {
  select: `${service}, sum(in_bytes + out_bytes) as bytes, count() as tries,
    toUnixTimestamp64Milli(max(at)) as ms`,
  group: service,
  order: `ms desc, ${service}`,
  read: toConnection,
};

const ranking = (by: Ranking, denied: boolean): Paged<Ranked> => ({
  select: `${rankings[by]} as name, sum(in_bytes + out_bytes) as bytes, count() as tries`,
  group: rankings[by],
  order: denied ? "tries desc, bytes desc, name" : "bytes desc, tries desc, name",
  read: toRanked,
});

/** One page of a statement, and how many rows it has in all. */
async function pageOf<Row>(
  engine: Engine,
  { select, group, order, read }: Paged<Row>,
  filter: FlowFilter,
  { page, limit }: Paging,
): Promise<Page<Row>> {
  const { sql, parameters } = where(filter);
  const from = `from flow where ${sql} ${group === null ? "" : `group by ${group}`}`;
  const [rows, total] = await Promise.all([
    engine.query(
      `select ${select} ${from} order by ${order} limit {limit:UInt32} offset {skipped:UInt32}`,
      { ...parameters, limit, skipped: (page - 1) * limit },
    ),
    engine.query(`select count() as n from (select 1 ${from})`, parameters),
  ]);
  const [found] = total as readonly Found[];
  return { rows: (rows as readonly Found[]).map(read), count: number(found?.n) };
}

export const createFlowStore = (engine: Engine): FlowStore => ({
  insert: (rows) =>
    engine.insert(
      "flow",
      rows.map((row) => ({ ...row, at: textOf(row.at) })),
    ),
  keepDays: async (enterpriseId, days) => {
    // The table forgets by itself what is older.
    if (days >= keptDays) return;
    const old = `enterprise_id = ${Math.trunc(enterpriseId)}
      and at < now64(3, 'UTC') - interval ${Math.trunc(days)} day`;
    const rows = (await engine.query(`select 1 from flow where ${old} limit 1`, {})) as Found[];
    // A removal rewrites parts of the table: none is made for nothing.
    if (rows.length > 0) await engine.command(`delete from flow where ${old}`);
  },
  has: async (filter) => {
    const { sql, parameters } = where(filter);
    const rows = await engine.query(`select 1 from flow where ${sql} limit 1`, parameters);
    return (rows as readonly Found[]).length > 0;
  },
  rank: (by, filter, paging) => {
    const only: FlowFilter = by === "url" ? { ...filter, visits: true } : filter;
    return pageOf(engine, ranking(by, filter.denied === true), only, paging);
  },
  list: (filter, paging) => pageOf(engine, records, filter, paging),
  connections: (filter, paging) => pageOf(engine, connections, filter, paging),
  over: async (filter, step) => {
    const { sql, parameters } = where(filter);
    const rows = await engine.query(
      `select intDiv(toUnixTimestamp(at), {step:UInt32}) * {step:UInt32} as bucket,
        sum(in_bytes) as moved_in, sum(out_bytes) as moved_out,
        avg(rtt_ms) as rtt, avg(jitter_ms) as jitter, avg(loss_percent) as loss
      from flow where ${sql} group by bucket order by bucket`,
      { ...parameters, step },
    );
    return (rows as readonly Found[]).map(toBucket);
  },
});
