/** How long calls under way may take after the signal. */
const DRAIN_MS = 20_000;
const WATCH_MS = 1_000;

/**
 * Ends the process in order on SIGTERM and SIGINT. A second SIGINT ends it immediately: someone presses
 * Ctrl C again. A second SIGTERM changes nothing: who watches over a process and who started it may
 * both send one, and a process that leaves immediately leaves its PostgreSQL behind. Started by npm it
 * also ends when npm is gone: a killed npm passes no signal on, and would leave a controller behind
 * that no one sees.
 */
export function endOnSignals(close: () => Promise<void>): void {
  let ending = false;
  const end = (signal?: NodeJS.Signals): void => {
    if (ending) {
      if (signal === "SIGINT") process.exit(1);
      return;
    }
    ending = true;
    const late = setTimeout(() => process.exit(1), DRAIN_MS);
    late.unref();
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent && !ending) end();
  }, WATCH_MS);
  watch.unref();
}
