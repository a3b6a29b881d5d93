import { mkdirSync, renameSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Logger, pino } from "pino";
import type { Settings } from "./settings.ts";

/** A log file that grew past this is put aside at the next start. */
const maxLogBytes = 20_000_000;

const nameOf = (level: number): string => pino.levels.labels[level] ?? String(level);

interface Destination {
  write(line: string): void;
}

/** Log of the process: JSON lines; secrets are cut out by name should they ever get there. */
export function createLogger(level: string, to?: Destination): Logger {
  const names = ["password", "token", "authorization", "oldPsw", "newPsw", "rePsw"];
  const paths = names.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  const options = { level, base: null, redact: { paths, censor: "[redacted]" } };
  return to === undefined ? pino(options) : pino(options, to);
}

/** What a start prints for the person who waits for it. */
export interface StartLog {
  readonly logger: Logger;
  /** Path of the log file; null where the log goes to standard output. */
  readonly file: string | null;
  /** The start is over: from here on only errors are reported. */
  started(): void;
}

/** The parts of a log line that are read here. */
interface Line {
  readonly level: number;
  readonly msg: string;
  readonly requestId?: string;
  readonly err?: { readonly message: string };
}

/**
 * The log as JSON lines on standard output; in a terminal to `controller.log` of the data folder,
 * where one line per step says what the start does and how long it took, and errors are reported in one
 * line each. `--verbose` shows the log in a terminal as well.
 */
export function openStartLog(
  { logLevel, dataDir }: Pick<Settings, "logLevel" | "dataDir">,
  isTerminal: boolean,
  print: (text: string) => void = (text) => process.stdout.write(text),
): StartLog {
  if (!isTerminal) {
    return { logger: createLogger(logLevel), file: null, started: () => undefined };
  }
  const file = logFile(resolve(dataDir));
  const destination = pino.destination({ dest: file, sync: true });
  let isStarting = true;
  let since = performance.now();
  const report = ({ level, msg, requestId, err }: Line): void => {
    const isStep = isStarting && level === 30 && requestId === undefined;
    if (isStep) {
      const seconds = ((performance.now() - since) / 1000).toFixed(1);
      print(`weft: ${msg}, ${seconds} s\n`);
      since = performance.now();
    } else if (level >= 50) {
      print(`weft: ${nameOf(level)}: ${err ? `${msg}: ${err.message}` : msg} (more in ${file})\n`);
    }
  };
  const write = (line: string): void => {
    destination.write(line);
    report(JSON.parse(line) as Line);
  };
  const started = (): void => {
    isStarting = false;
  };
  return { logger: createLogger(logLevel, { write }), file, started };
}

function logFile(folder: string): string {
  const file = join(folder, "controller.log");
  mkdirSync(folder, { recursive: true });
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxLogBytes) renameSync(file, `${file}.old`);
  return file;
}

/** The last lines of a start: all that the user needs to go on. */
export function banner(facts: {
  readonly url: string;
  /** Null where it is not known to this start. */
  readonly password: string | null;
  /** What was set in the environment is not repeated on a screen. */
  readonly isPasswordSet: boolean;
  readonly logFile: string | null;
}): string {
  const { url, password, isPasswordSet, logFile: file } = facts;
  const known = isPasswordSet
    ? "WEFT_ADMIN_PASSWORD, if it was set when the database was new"
    : "as it was set (npm run admin:password sets another)";
  const who =
    password === null
      ? ["User: admin", `Password: ${known}`]
      : [`First administrator: admin, password ${password}`];
  return [
    "",
    `Weft: ${url}`,
    ...who,
    ...(file === null ? [] : [`Log: ${file}`]),
    "Stop: Ctrl-C",
    "",
  ].join("\n");
}
