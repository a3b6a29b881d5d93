// The controller's entry: `npm run serve`, and `npm start` with --demonstration.
import { readSettings } from "./settings.ts";
import { createController } from "./start-controller.ts";
import { endOnSignals } from "./start-signals.ts";

try {
  const settings = readSettings(process.env, process.argv.slice(2));
  const { url, madePassword, close } = await createController(settings);
  endOnSignals(close);
  console.log(`Weft: ${url}`);
  if (madePassword !== null) {
    // Only here and only now: the database keeps a hash, and the log never sees it.
    console.log(`First administrator: admin, password ${madePassword}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
