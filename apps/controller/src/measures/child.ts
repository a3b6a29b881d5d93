/**
 * The one process that owns the folder of the embedded ClickHouse: it does what its parent asks over
 * the channel between them, and ends with it, however that came about.
 */
import { createClient } from "@clickhouse/client";
import type { Ask, Reply } from "./child-messages.ts";
import { type Engine, engineOf } from "./engine.ts";

const reply = (message: Reply): void => {
  process.send?.(message, undefined, undefined, () => undefined);
};

const open = async (folder: string): Promise<Engine> => {
  // Only here: half a gigabyte that no other process should load.
  const { createChdbConnection } = await import("chdb/connection");
  const connection = createChdbConnection({ path: folder });
  // The same interface from two releases of the client's types: what runs was tried, types differ.
  type Options = NonNullable<Parameters<typeof createClient>[0]>;
  return engineOf(createClient({ connection } as unknown as Options));
};

const answer = async (engine: Engine, ask: Ask): Promise<readonly object[]> => {
  if (ask.kind === "query") return engine.query(ask.sql, ask.parameters);
  if (ask.kind === "insert") await engine.insert(ask.table, ask.rows);
  else await engine.command(ask.sql);
  return [];
};

const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

process.on("disconnect", () => process.exit(0));
// A signal to the whole group (Ctrl-C) reaches us too; the parent may still have rows to hand over.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);

try {
  const engine = await open(process.argv[2] ?? "");
  process.on("message", (ask: Ask) => {
    answer(engine, ask).then(
      (rows) => reply({ kind: "done", id: ask.id, rows }),
      (error: unknown) => reply({ kind: "failed", id: ask.id, words: wordsOf(error) }),
    );
  });
  reply({ kind: "open" });
} catch (error) {
  reply({ kind: "cannot", words: wordsOf(error) });
}
