/** How long calls under way may take after the signal. */
const drainMs = 20_000;
const watchMs = 1_000;

/**
 * Ends the process in order on SIGTERM, SIGINT and SIGHUP: who closes the terminal must find no PostgreSQL
 * that still runs. What is printed then goes nowhere, and that is no error. A second SIGINT ends it immediately: the user presses
 * Ctrl C again. A second SIGTERM changes nothing: a supervisor and the parent process may
 * both send one, and a process that leaves immediately leaves its PostgreSQL behind. Started by npm it
 * also ends when npm is gone: a killed npm passes no signal on, and would leave a controller behind
 * unnoticed.
 */
export function endOnSignals(close: () => Promise<void>): void {
  let ending = false;
  const end = (signal?: NodeJS.Signals): void => {
    if (ending) {
      if (signal === "SIGINT") process.exit(1);
      return;
    }
    ending = true;
    const late = setTimeout(() => process.exit(1), drainMs);
    late.unref();
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  process.on("SIGHUP", (signal) => {
    for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
    end(signal);
  });
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent && !ending) end();
  }, watchMs);
  watch.unref();
}
