/** The real ClickHouse by both ways that a controller has to it, each in a process and a folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "@clickhouse/client";
import { pino } from "pino";
import { EmbeddedEngine } from "#metrics-store/embedded.ts";
import { type Engine, engineOf } from "#metrics-store/engine.ts";
import { createStore } from "#metrics-store/store.ts";

export interface Opened {
  readonly engine: Engine;
  close(): Promise<void>;
}

const logger = pino({ level: "silent" });

/** As a controller without WEFT_CLICKHOUSE_URL has it. */
export async function embedded(
  folder: string,
): Promise<Opened & { readonly engine: EmbeddedEngine }> {
  return new Promise((resolve) => {
    const opened = (): void => resolve({ engine, close: () => engine.close() });
    const engine = new EmbeddedEngine({ folder, logger, opened });
  });
}

export interface Server {
  readonly url: string;
  /** Ends it without a chance to finish anything. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** A server that WEFT_CLICKHOUSE_URL may name. @param port 0: a free one */
export async function startClickhouse(folder: string, port = 0): Promise<Server> {
  const program = path.join(import.meta.dirname, "clickhouse-http.ts");
  const argv = [program, folder, String(port)];
  const server: ChildProcess = spawn(process.execPath, argv, {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = (await once(server.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const end = async (how: () => void): Promise<void> => {
    const ended = once(server, "exit");
    how();
    await ended;
  };
  return {
    url: line.toString().trim(),
    kill: () => end(() => server.kill("SIGKILL")),
    close: () => end(() => server.stdin?.end()),
  };
}

/** As a controller has a server elsewhere. */
async function remote(folder: string): Promise<Opened> {
  const server = await startClickhouse(folder);
  const engine = engineOf(createClient({ url: server.url }));
  return {
    engine,
    async close() {
      await engine.close();
      await server.close();
    },
  };
}

/** Both ways, for `describe.each`. */
export const ways: readonly (readonly [string, (folder: string) => Promise<Opened>])[] = [
  ["embedded", embedded],
  ["over HTTP", remote],
];

/** A store with its tables, in a folder that goes with it. */
export async function storeOn<Kind extends Opened>(open: (folder: string) => Promise<Kind>) {
  const folder = await mkdtemp(path.join(tmpdir(), "weft-measures-"));
  const opened = await open(folder);
  const store = createStore(opened.engine);
  await store.migrate();
  return {
    ...opened,
    store,
    async end() {
      await opened.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
