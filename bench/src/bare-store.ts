// Yardstick: rows sent straight to an embedded ClickHouse, with nothing before it and no roll-ups
// behind it. Says how many a second were durable; with a table's name, how many it holds instead.
import { createClient } from "@clickhouse/client";
import { createChdbConnection } from "chdb/connection";

const [folder = "", table = ""] = process.argv.slice(2);
/** Rows of one block, as many as the product gathers. */
const blockRows = 10_000;
const seconds = 5;

type Options = NonNullable<Parameters<typeof createClient>[0]>;
const connection = createChdbConnection({ path: folder });
const client = createClient({ connection } as unknown as Options);

async function count(): Promise<number> {
  const answer = await client.query({
    query: `select count() as rows from ${table}`,
    format: "JSONEachRow",
  });
  const [row] = await answer.json<{ rows: number | string }>();
  return Number(row?.rows);
}

const blockFrom = (from: number): object[] =>
  Array.from({ length: blockRows }, (_, at) => ({
    kind: "link",
    node_id: at % 1_500,
    item: String(at % 16),
    at: new Date(from + at).toISOString().replace("T", " ").slice(0, 23),
    in_rate: at * 1_000,
    out_rate: at * 700,
    rtt_ms: 20.5,
    jitter_ms: 1.5,
    loss_percent: 0,
    boot: "b".repeat(24),
    sequence: at,
  }));

async function rate(): Promise<number> {
  await client.command({
    query: `create table bare (kind Enum8('line' = 1, 'link' = 2, 'node' = 3), node_id UInt32,
      item String, at DateTime64(3, 'UTC'), in_rate Nullable(Float32), out_rate Nullable(Float32),
      rtt_ms Nullable(Float32), jitter_ms Nullable(Float32), loss_percent Nullable(Float32),
      boot String, sequence UInt32) engine = MergeTree order by (kind, node_id, item, at)`,
  });
  const values = blockFrom(Date.now());
  const insert = () => client.insert({ table: "bare", values, format: "JSONEachRow" });
  await insert();
  const from = performance.now();
  let rows = 0;
  for (; performance.now() - from < seconds * 1_000; rows += blockRows) await insert();
  return rows / ((performance.now() - from) / 1_000);
}

console.log(table === "" ? `rate ${await rate()}` : `rows ${await count()}`);
process.exit(0);
