import { tmpdir } from "node:os";
import { startTestServer } from "#db/testing.ts";

/** Starts one PostgreSQL for the whole test run; what it returns ends it. */
export function setup(): Promise<() => Promise<void>> {
  return startTestServer(tmpdir());
}
