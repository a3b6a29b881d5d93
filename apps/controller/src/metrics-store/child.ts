/**
 * The one process that owns the folder of the embedded ClickHouse: it does what its parent asks over
 * the channel between them, and ends with it, however that came about.
 */
import { createClient } from "@clickhouse/client";
import type { EngineReply, EngineRequest } from "./child-messages.ts";
import { type Engine, engineOf } from "./engine.ts";
import { ReadPool } from "./read-pool.ts";

/** Connections for reads, beside the one for inserts and tables. */
const readers = 3;

const reply = (message: EngineReply): void => {
  process.send?.(message, undefined, undefined, () => undefined);
};

interface Opened {
  readonly writer: Engine;
  readonly reads: ReadPool;
}

const open = async (path: string): Promise<Opened> => {
  // Only here: half a gigabyte that no other process should load.
  const { createChdbConnection } = await import("chdb/connection");
  // The same interface from two releases of the client's types: what runs was tried, types differ.
  type Options = NonNullable<Parameters<typeof createClient>[0]>;
  const connect = (): Engine =>
    engineOf(createClient({ connection: createChdbConnection({ path }) } as unknown as Options));
  const writer = connect();
  return { writer, reads: new ReadPool(Array.from({ length: readers }, connect)) };
};

const answer = async (
  { writer, reads }: Opened,
  request: EngineRequest,
): Promise<readonly object[]> => {
  if (request.kind === "query") return reads.query(request.sql, request.parameters);
  if (request.kind === "insert") await writer.insert(request.table, request.rows);
  else await writer.command(request.sql);
  return [];
};

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

process.on("disconnect", () => process.exit(0));
// A signal to the whole group (Ctrl-C, a closed terminal) reaches us too; the parent may still have rows to
// hand over.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);

try {
  const opened = await open(process.argv[2] ?? "");
  process.on("message", (request: EngineRequest) => {
    answer(opened, request).then(
      (rows) => reply({ kind: "done", id: request.id, rows }),
      (error: unknown) => reply({ kind: "failed", id: request.id, text: textOf(error) }),
    );
  });
  reply({ kind: "open" });
} catch (error) {
  reply({ kind: "cannot", text: textOf(error) });
}
