import { resolve } from "node:path";
import { type Logger, pino } from "pino";
import type { Language } from "./language.ts";
import { openLogFile } from "./log-file.ts";
import type { Settings } from "./settings.ts";
import { stepText } from "./steps.ts";

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
  /** Path of the log file; null where the log goes to standard output only. */
  readonly file: string | null;
  /** The start is over: from here on errors are reported, and what completes the demonstration. */
  started(): void;
  /** The start has failed: the log gets the whole error, and the line that grows is taken away. */
  failed(error: unknown): void;
}

/** The parts of a log line that are read here. */
interface Line {
  readonly level: number;
  readonly msg: string;
  readonly requestId?: string;
  readonly err?: { readonly message: string };
}

export interface LogPlace {
  /** False: JSON lines on standard output only, as services expect. */
  readonly toFile: boolean;
  /** The log as JSON lines on standard output beside the file, instead of steps. */
  readonly isVerbose: boolean;
  /** A line may be written over: the step that is under way shows its seconds. */
  readonly isTerminal: boolean;
  readonly language: Language;
}

type Print = (text: string) => void;

/**
 * The log as JSON lines in `controller.log` of the data folder, where one line per step says what the
 * start does and how long it took, and errors are reported in one line each; or on standard output.
 * @throws ErrnoException where the log file cannot be written
 */
export function openStartLog(
  { logLevel, dataDir }: Pick<Settings, "logLevel" | "dataDir">,
  place: LogPlace,
  print: Print = (text) => process.stdout.write(text),
): StartLog {
  if (!place.toFile) {
    const nothing = () => undefined;
    return { logger: createLogger(logLevel), file: null, started: nothing, failed: nothing };
  }
  const file = openLogFile(resolve(dataDir));
  const screen = place.isVerbose ? verboseScreen(print) : stepScreen(file.path, place, print);
  let isReported = false;
  const keep = (line: string): void => {
    const trouble = file.write(line);
    if (trouble && !isReported) print(`weft: ${file.path} cannot be written: ${trouble.message}\n`);
    isReported = trouble !== null;
  };
  const write = (line: string): void => {
    keep(line);
    screen.show(line);
  };
  return {
    logger: createLogger(logLevel, { write }),
    file: file.path,
    started: screen.started,
    failed(error) {
      screen.ended();
      createLogger(logLevel, { write: keep }).fatal({ err: error }, "the start has failed");
    },
  };
}

interface Screen {
  show(line: string): void;
  started(): void;
  ended(): void;
}

const verboseScreen = (print: Print): Screen => ({
  show: print,
  started: () => undefined,
  ended: () => undefined,
});

/** Steps with their time; on a terminal the last line grows until the step is done. */
function stepScreen(file: string, { isTerminal, language }: LogPlace, print: Print): Screen {
  let isStarting = true;
  let since = performance.now();
  const seconds = (digits: number): string => {
    const passed = ((performance.now() - since) / 1000).toFixed(digits);
    return language === "zh" ? `${passed} 秒` : `${passed} s`;
  };
  const clear = isTerminal ? "\r\x1b[K" : "";
  const working = language === "zh" ? "进行中" : "working";
  const timer = isTerminal
    ? setInterval(() => print(`${clear}weft: ${working} … ${seconds(0)}`), 1_000)
    : undefined;
  timer?.unref();
  const ended = (): void => {
    clearInterval(timer);
    if (isStarting && clear !== "") print(clear);
    isStarting = false;
  };
  const show = (line: string): void => {
    const { level, msg, requestId, err } = JSON.parse(line) as Line;
    const step = level === 30 && requestId === undefined && stepText(msg, language, isStarting);
    const over = isStarting ? clear : "";
    if (step) {
      print(`${over}weft: ${step}, ${seconds(1)}\n`);
      if (isStarting) since = performance.now();
    } else if (level >= 50) {
      const text = err ? `${msg}: ${err.message}` : msg;
      const more = language === "zh" ? `（详见 ${file}）` : ` (more in ${file})`;
      print(`${over}weft: ${nameOf(level)}: ${text}${more}\n`);
    }
  };
  return { show, started: ended, ended };
}

/** The last lines of a start: all that the user needs to go on. */
export interface BannerFacts {
  readonly url: string;
  /** Null where it is not known to this start. */
  readonly password: string | null;
  /** What was set in the environment is not repeated on a screen. */
  readonly isPasswordSet: boolean;
  readonly logFile: string | null;
  /** The demonstration is usable, and its past is still being written. */
  readonly isFilling: boolean;
  readonly language: Language;
}

const texts = {
  en: {
    first: (password: string) => `First administrator: admin, password ${password}`,
    user: "User: admin",
    set: "Password: WEFT_ADMIN_PASSWORD, if it was set when the database was new",
    known: "Password: as it was set (npm run admin:password sets another)",
    filling:
      "Still being written: the demonstration's past and history; a line reports each when it is complete",
    log: "Log: ",
    stop: "Stop: Ctrl-C",
  },
  zh: {
    first: (password: string) => `首个管理员：admin，密码 ${password}`,
    user: "用户：admin",
    set: "密码：数据库新建时所设的 WEFT_ADMIN_PASSWORD",
    known: "密码：此前所设（可用 npm run admin:password 重设）",
    filling: "仍在写入：演示的历史数据与变更历史；各项完成时会另行提示",
    log: "日志：",
    stop: "停止：Ctrl-C",
  },
} as const;

export function banner(facts: BannerFacts): string {
  const { url, password, isPasswordSet, logFile: file, isFilling, language } = facts;
  const text = texts[language];
  const who =
    password === null ? [text.user, isPasswordSet ? text.set : text.known] : [text.first(password)];
  return [
    "",
    ...(isFilling ? [text.filling] : []),
    `Weft: ${url}`,
    ...who,
    ...(file === null ? [] : [`${text.log}${file}`]),
    text.stop,
    "",
  ].join("\n");
}
