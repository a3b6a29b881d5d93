import { firstCommands, firstStarts, productionStart } from "./first-starts.ts";
import { inRoot } from "./repository.ts";
import { runCommand } from "./run-command.ts";
import type { TestResult } from "./test-results.ts";
import { installRequirements } from "./test-stages.ts";

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
    const { code, ms } = await runCommand(line, {
      env: { WEFT_CRAWL: "full", WEFT_BATTERY: "full" },
    });
    const message = `ended with code ${code}: see above`;
    const found = { id: `full > ${name}`, title: name, ms: Math.round(ms) };
    return [code === 0 ? { ...found, state: "passed" } : { ...found, state: "failed", message }];
  },
});

/** A program that needs Debian packages which no other test does. */
const withPackages = (campaign: Campaign): Campaign => ({
  ...campaign,
  run: async () => [...(await installRequirements(campaign.name)), ...(await campaign.run())],
});

const vitest = "node_modules/vitest/vitest.mjs";

/** What is too long for every change; docs/testing.md says why each is here. */
export const campaigns: readonly Campaign[] = [
  { name: "starts", run: firstStarts },
  { name: "production", run: productionStart },
  { name: "commands", run: firstCommands },
  withPackages(program("prometheus", "apps/controller/test/prometheus-main.ts")),
  program("sim", "sim/src/main.ts", "--seeds", "10000"),
  program("matrix", "apps/controller/test/matrix-main.ts"),
  program("hostile", "apps/controller/test/hostile-main.ts", "--cases", "10000"),
  program(
    ...(["battery", vitest, "run", "--project=machine"] as const),
    "apps/edge/src/drivers/firewall/battery.test.ts",
    "apps/edge/src/drivers/firewall/flows.test.ts",
    "apps/edge/src/drivers/firewall/under-load.test.ts",
  ),
  program(
    "crawl",
    "tools/src/with-browser.ts",
    vitest,
    "run",
    "--project=e2e",
    "e2e/src/crawl.test.ts",
  ),
];
