// The controller's entry: `npm run serve`, and `npm start` with --demonstration.
import { readSettings } from "./settings.ts";
import { startProgram } from "./start-program.ts";
import { endOnSignals } from "./start-signals.ts";

const fail = (error: unknown): never => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
};

try {
  const program = startProgram(readSettings(process.env, process.argv.slice(2)), fail);
  // From the first moment: a start that is broken off must not leave PostgreSQL behind.
  endOnSignals(program.close);
  const { url, madePassword } = await program.controller();
  console.log(`Weft: ${url}`);
  if (madePassword !== null) {
    // Only here and only now: the database keeps a hash, and the log never sees it.
    console.log(`First administrator: admin, password ${madePassword}`);
  }
} catch (error) {
  fail(error);
}
