// The controller's entry: `npm run serve`, and `npm start` with --demonstration.
import { readSettings } from "./settings.ts";
import { createController } from "./start-controller.ts";
import { endOnSignals } from "./start-signals.ts";

try {
  const starting = createController(readSettings(process.env, process.argv.slice(2)));
  // From the first moment: a start that is broken off must not leave PostgreSQL behind.
  endOnSignals(async () => (await starting).close());
  const { url, madePassword } = await starting;
  console.log(`Weft: ${url}`);
  if (madePassword !== null) {
    // Only here and only now: the database keeps a hash, and the log never sees it.
    console.log(`First administrator: admin, password ${madePassword}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
