/** What the metrics store asks of a ClickHouse, inside or outside: one SQL, two ways to it. */
import type { ClickHouseClient } from "@clickhouse/client";

type Parameter = string | number | readonly string[] | readonly number[];
/** A list stands for an `Array(…)`. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** Every call rejects with the engine's message, or with why it cannot be reached. */
export interface Engine {
  /** No other process writes into it. */
  readonly isOwn: boolean;
  /** A statement without an answer. */
  command(sql: string): Promise<void>;
  /** Resolves once the rows are durable. */
  insert(table: string, rows: readonly object[]): Promise<void>;
  /** `{name:Type}` in the text stands for a parameter. */
  query(sql: string, parameters: Parameters): Promise<readonly object[]>;
  close(): Promise<void>;
}

/** Seconds after which the engine ends a read by itself. */
const readSeconds = 10;

/** The same calls over the client, whichever connection is behind it. */
export const engineOf = (client: ClickHouseClient): Engine => ({
  isOwn: false,
  command: async (query) => {
    await client.command({ query });
  },
  insert: async (table, values) => {
    await client.insert({ table, values: [...values], format: "JSONEachRow" });
  },
  query: async (query, parameters) => {
    const answer = await client.query({
      query,
      query_params: parameters,
      format: "JSONEachRow",
      clickhouse_settings: { max_execution_time: readSeconds },
    });
    return answer.json<object>();
  },
  close: () => client.close(),
});
