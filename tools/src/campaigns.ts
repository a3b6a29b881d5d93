import { firstCommands, firstStarts, productionStart } from "./first-starts.ts";
import { inRoot } from "./repository.ts";
import { runCommand } from "./run-command.ts";
import type { TestResult } from "./test-reporter.ts";
import { failure, installRequirements, type Stage } from "./test-stages.ts";

/** Two hours: a campaign computes for long, and is ended only when it hangs. */
const limitMinutes = 120;

const campaign = (name: string, run: (limitMs: number) => Promise<TestResult[]>): Stage => ({
  name,
  limitMinutes,
  run: async (limitMs) => ({ steps: await run(limitMs), files: [] }),
});

/** A program of the repository that reports by its exit code whether it found something. */
const program = (name: string, ...argv: readonly string[]): Stage =>
  campaign(name, async (limitMs) => {
    const line = [process.execPath, inRoot("tools/src/run.mjs"), ...argv] as const;
    const env = { WEFT_CRAWL: "full", WEFT_BATTERY: "full" };
    const { code, ms, isLate } = await runCommand(line, { env, limitMs });
    const id = `full > ${name}`;
    if (code === 0) return [{ id, title: name, state: "passed", ms: Math.round(ms) }];
    return [failure(id, isLate ? "reached its limit" : `ended with code ${code}: see above`)];
  });

/** A program that needs Debian packages which no other test does. */
const withPackages = (stage: Stage): Stage => ({
  ...stage,
  async run(limitMs) {
    const missing = await installRequirements(stage.name);
    const { steps, files } = await stage.run(limitMs);
    return { steps: [...missing, ...steps], files };
  },
});

const vitest = "node_modules/vitest/vitest.mjs";

/** What is too long for every change; docs/testing.md says why each is here. */
export const campaignStages: readonly Stage[] = [
  campaign("starts", firstStarts),
  campaign("production", productionStart),
  campaign("commands", firstCommands),
  withPackages(program("prometheus", "apps/controller/test/prometheus-main.ts")),
  withPackages(program("bench", "tools/src/with-browser.ts", "bench/src/main.ts", "--check")),
  program("sim", "sim/src/main.ts", "--seeds", "10000"),
  program("matrix", "apps/controller/test/matrix-main.ts"),
  program("hostile", "apps/controller/test/hostile-main.ts", "--cases", "10000"),
  program("abuse", "apps/controller/test/abuse-main.ts"),
  program(
    "battery",
    vitest,
    "run",
    "--project=machines",
    "apps/edge/src/drivers/firewall/battery.test.ts",
    "apps/edge/src/drivers/firewall/flows.test.ts",
    "apps/edge/src/drivers/firewall/under-load.test.ts",
  ),
  program("values", "e2e/lab/values/main.ts"),
  program(
    "crawl",
    "tools/src/with-browser.ts",
    vitest,
    "run",
    "--project=journeys",
    "e2e/src/crawl.test.ts",
  ),
];
