import type pg from "pg";

export interface Listener {
  close(): Promise<void>;
}

const reconnectMs = 1_000;

/**
 * Listens for NOTIFY on some channels, on one connection of the pool, opened again when it is lost.
 * Notifications are hints: every listener polls as well.
 */
export function listen(
  pool: pg.Pool,
  channels: readonly string[],
  received: (channel: string, payload: string) => void,
  report: (error: unknown) => void,
): Listener {
  let release: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const open = async (): Promise<void> => {
    const client = await pool.connect();
    let held = true;
    // Given back as broken: the pool must not hand out a connection that listens.
    release = () => {
      if (held) client.release(true);
      held = false;
    };
    const lose = (error: unknown): void => {
      if (!held || ended) return;
      release?.();
      report(error);
      again();
    };
    client.on("error", lose);
    client.on("end", () => lose(new Error("the listening connection ended")));
    client.on("notification", ({ channel, payload }) => {
      try {
        received(channel, payload ?? "");
      } catch (error) {
        report(error);
      }
    });
    for (const channel of channels) await client.query(`listen ${channel}`).catch(lose);
  };
  const again = (): void => {
    timer = setTimeout(start, reconnectMs);
    timer.unref();
  };
  const start = (): void => {
    opening = open().catch((error: unknown) => {
      if (ended) return;
      report(error);
      again();
    });
  };
  let opening = Promise.resolve();
  start();
  return {
    async close() {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      await opening;
      release?.();
    },
  };
}
