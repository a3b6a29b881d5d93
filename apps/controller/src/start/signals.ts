/** How long calls under way may take after the signal. */
const drainMs = 20_000;
const watchMs = 1_000;

/** A press of Ctrl-C may arrive twice: from the terminal, and passed on by an npm that has much to do. */
const samePressMs = 1_000;

/**
 * Ends the process in order on SIGTERM, SIGINT and SIGHUP: who closes the terminal must find no
 * PostgreSQL that still runs. What is printed then goes nowhere, and that is no error. A second press of
 * Ctrl-C ends it immediately. A second SIGTERM changes nothing: a supervisor and the parent process may
 * both send one, and a process that leaves immediately leaves its PostgreSQL behind. Started by npm it
 * also ends when npm is gone: a killed npm passes no signal on, and would leave a controller behind
 * unnoticed.
 */
export function endOnSignals(close: () => Promise<void>): void {
  let endingSince: number | null = null;
  const end = (signal?: NodeJS.Signals): void => {
    const now = performance.now();
    if (endingSince !== null) {
      if (signal === "SIGINT" && now - endingSince > samePressMs) process.exit(1);
      return;
    }
    endingSince = now;
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
    if (process.ppid !== parent && endingSince === null) end();
  }, watchMs);
  watch.unref();
}
