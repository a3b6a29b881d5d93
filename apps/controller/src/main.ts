// Entry point of the controller: `npm run serve`, and `npm start` with --demonstration.

import { returnMemoryWhenIdle } from "#metrics-store/idle-memory.ts";
import { banner, openStartLog } from "#start/log.ts";
import { startProgram } from "#start/program.ts";
import { readSettings } from "#start/settings.ts";
import { endOnSignals } from "#start/signals.ts";

const fail = (error: unknown): never => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
};

try {
  const args = process.argv.slice(2);
  const settings = readSettings(process.env, args);
  const isTerminal = process.stdout.isTTY === true && !args.includes("--verbose");
  const { logger, file, started } = openStartLog(settings, isTerminal);
  const program = startProgram(settings, fail, logger);
  // From the beginning: an interrupted start must not leave PostgreSQL running.
  endOnSignals(program.close);
  // An aborted start prints nothing more: it stops what it started, and the process exits.
  const controller = await program.controller().catch((error: unknown) => {
    if (program.isEnding()) return null;
    throw error;
  });
  if (controller) {
    const { url, madePassword } = controller;
    started();
    returnMemoryWhenIdle();
    // The password is available here only: the database stores a hash, and the log never contains it.
    const isPasswordSet = settings.adminPassword !== undefined;
    console.log(banner({ url, password: madePassword, isPasswordSet, logFile: file }));
  }
} catch (error) {
  fail(error);
}
