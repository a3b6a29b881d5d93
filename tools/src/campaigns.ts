import { firstCommands, firstStarts, productionStart } from "./first-starts.ts";
import { inRoot } from "./repository.ts";
import { runCommand } from "./run-command.ts";
import type { TestResult } from "./test-results.ts";

/** One part of `npm run test:full`. */
interface Campaign {
  readonly name: string;
  run(): Promise<TestResult[]>;
}

/** A program of the repository that says by its exit code whether it found something. */
const program = (name: string, ...argv: readonly string[]): Campaign => ({
  name,
  async run() {
    const line = [process.execPath, inRoot("tools/src/run.mjs"), ...argv] as const;
    const { code, ms } = await runCommand(line, { env: { WEFT_CRAWL: "full" } });
    const message = `ended with code ${code}: see above`;
    const found = { id: `full > ${name}`, title: name, ms: Math.round(ms) };
    return [code === 0 ? { ...found, state: "passed" } : { ...found, state: "failed", message }];
  },
});

const vitest = "node_modules/vitest/vitest.mjs";

/** What is too long for every change; docs/testing.md says why each is here. */
export const campaigns: readonly Campaign[] = [
  { name: "starts", run: firstStarts },
  { name: "production", run: productionStart },
  { name: "commands", run: firstCommands },
  program("sim", "sim/src/main.ts", "--seeds", "10000"),
  program("matrix", "apps/controller/test/matrix-main.ts"),
  program("hostile", "apps/controller/test/hostile-main.ts", "--cases", "10000"),
  program(
    "crawl",
    "tools/src/with-browser.ts",
    vitest,
    "run",
    "--project=e2e",
    "e2e/src/crawl.test.ts",
  ),
];
