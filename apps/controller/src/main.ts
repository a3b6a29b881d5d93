// Entry point of the controller: `npm run serve`, and `npm start` with --demonstration.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { demonstrationFolder, isCutShort } from "#demonstration/folder.ts";
import { keepCompiled, useCompiled } from "#start/compile-cache.ts";
import { languageOf } from "#start/language.ts";
import { banner, openStartLog, type StartLog } from "#start/log.ts";
import { readSettings } from "#start/settings.ts";
import { endOnSignals } from "#start/signals.ts";
import { plainWords } from "#start/trouble.ts";

let log: StartLog | undefined;
let dataDir = "";
const language = languageOf(process.env);

const fail = (error: unknown): never => {
  log?.failed(error);
  console.error(plainWords(error, dataDir));
  if (log?.file) console.error(language === "zh" ? `日志：${log.file}` : `Log: ${log.file}`);
  process.exit(1);
};

try {
  const args = process.argv.slice(2);
  const settings = readSettings(process.env, args);
  dataDir = resolve(settings.dataDir);
  const isVerbose = args.includes("--verbose");
  const isTerminal = process.stdout.isTTY === true;
  // A service reads JSON lines from standard output; who tries Weft out wants the address.
  const toFile = settings.demonstration || (isTerminal && !isVerbose);
  log = openStartLog(settings, { toFile, isVerbose, isTerminal, language });
  const { logger, file, started } = log;
  const isLeft = existsSync(resolve(demonstrationFolder(dataDir), "left"));
  const isFilling = settings.demonstration && !isLeft && isCutShort(dataDir);
  useCompiled(dataDir);
  // By far the most of the program, imported once its compiled code can be found.
  const { startProgram } = await import("#start/program.ts");
  const program = startProgram(settings, fail, logger);
  // Repeated work reports its own failures (kernel/repeat.ts). What else fails without anyone who waits for it
  // is a bug to be reported, and no reason to end every tenant's controller.
  process.on("unhandledRejection", (error) =>
    logger.error({ err: error }, "a failure that nothing waited for"),
  );
  // From the beginning: an interrupted start must not leave PostgreSQL running.
  endOnSignals(program.close);
  // An aborted start prints nothing more: it stops what it started, and the process exits.
  const controller = await program.controller().catch((error: unknown) => {
    if (program.isEnding()) return null;
    throw error;
  });
  if (controller) {
    const { url, madePassword: password } = controller;
    started();
    // The password is available here only: the database stores a hash, and the log never contains it.
    const isPasswordSet = settings.adminPassword !== undefined;
    console.log(banner({ url, password, isPasswordSet, logFile: file, isFilling, language }));
    keepCompiled();
  }
} catch (error) {
  fail(error);
}
