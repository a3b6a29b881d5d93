import { repeat } from "#kernel/repeat.ts";
import { type Guard, guardChild } from "./guard-child.ts";
import { type EmbeddedOptions, type EmbeddedServer, openEmbedded } from "./open.ts";
import { isServerOf, readPidFile } from "./pid-file.ts";

const pollMs = 1_000;

/**
 * Starts the server again, on its port, whenever it is gone: killed, ended by hand, or by a command
 * that ran beside. Connections open again by themselves. The server ends with this process, however
 * that comes about.
 * @returns ends the watch, so that the server can be ended
 */
export function keepEmbedded(
  server: EmbeddedServer,
  options: EmbeddedOptions,
): () => Promise<void> {
  const { logger } = options;
  let isLogged = false;
  let guarded: { readonly pid: number; readonly guard: Guard } | undefined;
  const watch = async (): Promise<undefined> => {
    const pid = await runningPid(server);
    if (pid === undefined) {
      guarded?.guard.release();
      guarded = undefined;
      if (!isLogged) logger.warn("PostgreSQL has stopped; restarting it");
      isLogged = true;
      await openEmbedded({ ...options, port: server.port });
      isLogged = false;
    } else if (guarded?.pid !== pid || !guarded.guard.lives()) {
      guarded?.guard.release();
      // A fast shutdown: what was acknowledged is on disk.
      guarded = { pid, guard: guardChild(pid, "INT", logger) };
    }
  };
  const log = { error: logger.warn.bind(logger) };
  const watching = repeat("embedded PostgreSQL", pollMs, watch, log);
  return async () => {
    await watching.close();
    guarded?.guard.release();
  };
}

async function runningPid({ data }: EmbeddedServer): Promise<number | undefined> {
  const file = await readPidFile(data);
  return file !== undefined && (await isServerOf(file.pid, data)) ? file.pid : undefined;
}
