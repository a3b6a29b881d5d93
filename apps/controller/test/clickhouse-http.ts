/**
 * The real engine of ClickHouse behind the part of its HTTP interface that its client uses, as a program:
 * `clickhouse-http.ts FOLDER [PORT]` prints its URL and ends with its standard input. What WEFT_CLICKHOUSE_URL
 * names is tested with it where no server can be installed.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { createChdbConnection } from "chdb/connection";

const connection = createChdbConnection({ path: process.argv[2] ?? "" });

/** Texts of lists are in single quotes: ['a','b']. */
const parameter = (value: string): unknown => {
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
  return value.startsWith("[") ? JSON.parse(value.replaceAll("'", '"')) : value;
};

async function answer(request: IncomingMessage): Promise<Buffer> {
  const { searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  const [body, query] = [await text(request), searchParams.get("query") ?? ""];
  if (request.url?.startsWith("/ping")) return Buffer.from("Ok.\n");
  if (/^insert /i.test(query)) {
    await connection.insert({ query, values: body } as never);
    return Buffer.alloc(0);
  }
  const query_params = Object.fromEntries(
    [...searchParams]
      .filter(([name]) => name.startsWith("param_"))
      .map(([name, value]) => [name.slice("param_".length), parameter(value)]),
  );
  const seconds = searchParams.get("max_execution_time");
  const clickhouse_settings = seconds === null ? {} : { max_execution_time: Number(seconds) };
  const given = { query: `${query}${body}`, query_params, clickhouse_settings };
  const { stream } = await connection.query(given as never);
  return buffer(stream);
}

const server = createServer((request, response) => {
  answer(request).then(
    (result) => response.end(result),
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      response.writeHead(500, { "content-type": "text/plain" }).end(message);
    },
  );
});
server.listen(Number(process.argv[3] ?? 0), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.stdin.resume().on("end", () => process.exit(0));
