import { pino } from "pino";

type Write = (fields: object, text: string) => void;

/** What the parts of the edge log through; pino's own shape. */
export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

const secret = ["token", "claim", "privateKey", "signature", "secret", "password"];

/** JSON lines on stdout. Fields that may hold a secret are cut out, whatever was logged. */
export const createLog = (level: string): Log =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: "[redacted]",
    },
  });

/** The message of whatever was thrown, short enough for a message on the wire. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 1_000);

/** The same log, each line with these fields: which device of a fleet it is about. */
export const logFor = (log: Log, common: object): Log => {
  const write =
    (level: keyof Log): Write =>
    (fields, text) =>
      log[level]({ ...common, ...fields }, text);
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
  };
};
