/** Tables of the measures, in ClickHouse's SQL: made at every start where they are missing. */

/** Days that each level is kept. */
export const keptDays = { raw: 7, minute: 90, hour: 730 } as const;

const values = [
  "in_rate",
  "out_rate",
  "rtt_ms",
  "jitter_ms",
  "loss_percent",
  "cpu_percent",
  "memory_percent",
] as const;
export type ValueColumn = (typeof values)[number];
export const valueColumns: readonly ValueColumn[] = values;

export const levels = {
  raw: { table: "measure", seconds: 15, average: "avg" },
  minute: { table: "measure_minute", seconds: 60, average: "avgMerge" },
  hour: { table: "measure_hour", seconds: 3_600, average: "avgMerge" },
} as const;
export type Level = keyof typeof levels;

/**
 * What is acknowledged is on the disk: files and their folder, and of merges too, which take the place
 * of parts that were.
 */
const durable: Readonly<Record<string, number>> = {
  fsync_after_insert: 1,
  fsync_part_directory: 1,
  min_rows_to_fsync_after_merge: 1,
  min_compressed_bytes_to_fsync_after_merge: 1,
};
const durableText = Object.entries(durable)
  .map(([name, value]) => `${name} = ${value}`)
  .join(", ");

/** A table of an earlier release gets the settings as well. */
export const makeDurable = (table: string): string =>
  `alter table ${table} modify setting ${durableText}`;

/** A later kind goes to the end: tables of earlier releases are widened. */
const kinds = "Enum8('line' = 1, 'link' = 2, 'node' = 3, 'hit' = 4)";

// One table for all kinds: an insert of one block is whole or not there at all.
const raw = `create table if not exists measure (
  kind ${kinds},
  node_id UInt32,
  item String,
  at DateTime64(3, 'UTC') codec(DoubleDelta, ZSTD),
  ${values.map((name) => `${name} Nullable(Float32) codec(ZSTD)`).join(",\n  ")},
  boot String codec(ZSTD),
  sequence UInt32 codec(Delta, ZSTD),
  hits Float64 codec(ZSTD)
) engine = MergeTree
partition by toDate(at)
order by (kind, node_id, item, at)
ttl toDateTime(at) + interval ${keptDays.raw} day delete
settings ttl_only_drop_parts = 1`;

/** What a level is made of, of all raw rows or of some. */
const rollUpOf = (start: string, where = ""): string =>
  `select m.kind as kind, m.node_id as node_id, m.item as item, ${start}(toDateTime(m.at, 'UTC')) as at,
  ${values.map((name) => `avgState(m.${name}) as ${name}`).join(",\n  ")},
  sum(m.hits) as hits
from measure as m ${where}
group by kind, node_id, item, at`;

/** The roll-ups: their tables, and the statement that makes their rows. */
export const rollUps = [
  { table: "measure_minute", select: (where: string) => rollUpOf("toStartOfMinute", where) },
  { table: "measure_hour", select: (where: string) => rollUpOf("toStartOfHour", where) },
] as const;

/** Hours that blocks go into, in seconds since 1970 (roll-ups.ts). */
const open = `create table if not exists measure_open (hour UInt32) engine = MergeTree order by hour`;

const rollUp = (level: "minute" | "hour"): string =>
  `create table if not exists measure_${level} (
  kind ${kinds},
  node_id UInt32,
  item String,
  at DateTime('UTC') codec(DoubleDelta, ZSTD),
  ${values.map((name) => `${name} AggregateFunction(avg, Nullable(Float32))`).join(",\n  ")},
  hits SimpleAggregateFunction(sum, Float64)
) engine = AggregatingMergeTree
partition by toYYYYMM(at)
order by (kind, node_id, item, at)
ttl at + interval ${keptDays[level]} day delete`;

/** What tables of earlier releases lack. */
const widened: readonly string[] = [
  ...["measure", "measure_minute", "measure_hour"].map(
    (table) => `alter table ${table} modify column kind ${kinds}`,
  ),
  "alter table measure add column if not exists hits Float64 codec(ZSTD)",
  ...["minute", "hour"].map(
    (level) =>
      `alter table measure_${level} add column if not exists hits SimpleAggregateFunction(sum, Float64)`,
  ),
];

/** Fills a roll-up with every insert; one of an earlier release selects fewer columns. */
const view = (level: "minute" | "hour", start: string): readonly string[] => [
  `create materialized view if not exists measure_to_${level} to measure_${level} as
${rollUpOf(start)}`,
  `alter table measure_to_${level} modify query ${rollUpOf(start)}`,
];

/** In this order; each may run again. */
export const statements: readonly string[] = [
  raw,
  rollUp("minute"),
  rollUp("hour"),
  ...widened,
  ...view("minute", "toStartOfMinute"),
  ...view("hour", "toStartOfHour"),
  open,
  ...["measure", "measure_minute", "measure_hour", "measure_open"].map(makeDurable),
];
