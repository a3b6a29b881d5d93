import { setTimeout as sleep } from "node:timers/promises";
import { type EmbeddedOptions, type EmbeddedServer, openEmbedded } from "./open.ts";
import { isServerOf, readPidFile } from "./pid-file.ts";

const pollMs = 1_000;

/**
 * Starts the server again, on its port, whenever it is gone: killed, ended by hand, or by a command
 * that ran beside. Connections open again by themselves.
 * @returns ends the watch, so that the server can be ended
 */
export function keepEmbedded(
  server: EmbeddedServer,
  options: EmbeddedOptions,
): () => Promise<void> {
  const { logger } = options;
  const end = new AbortController();
  let isLogged = false;
  const watch = async (): Promise<void> => {
    while (!end.signal.aborted) {
      await sleep(pollMs, undefined, { signal: end.signal, ref: false }).catch(() => undefined);
      if (end.signal.aborted || (await runs(server))) continue;
      try {
        if (!isLogged) logger.warn("PostgreSQL has stopped; restarting it");
        isLogged = true;
        await openEmbedded({ ...options, port: server.port });
        isLogged = false;
      } catch (error) {
        logger.warn({ err: error }, "PostgreSQL could not be restarted");
      }
    }
  };
  const watching = watch();
  return () => {
    end.abort();
    return watching;
  };
}

async function runs({ data }: EmbeddedServer): Promise<boolean> {
  const file = await readPidFile(data);
  return file !== undefined && (await isServerOf(file.pid, data));
}
