import { campaignRequirements } from "@weft/lab/requirements.ts";
import { firstCommands, firstStarts, productionStart } from "./first-starts.ts";
import { inRoot } from "./repository.ts";
import type { TestResult } from "./test-reporter.ts";
import { installRequirements, runStep, type Stage } from "./test-stages.ts";

/** Two hours: a campaign computes for long, and is ended only when it hangs. */
const campaign = (name: string, run: (limitMs: number) => Promise<TestResult[]>): Stage => ({
  name,
  limitMinutes: 120,
  run,
});

/** A program of the repository that reports by its exit code whether it found something. */
const program = (name: string, ...argv: readonly string[]): Stage =>
  campaign(name, async (limitMs) => {
    const missing = await installRequirements(campaignRequirements[name]);
    const line = [process.execPath, inRoot("tools/src/run.mjs"), ...argv] as const;
    const env = { WEFT_CRAWL: "full", WEFT_BATTERY: "full" };
    return [...missing, await runStep(`full > ${name}`, line, limitMs, env)];
  });

const vitest = ["node_modules/vitest/vitest.mjs", "run"] as const;
const withBrowser = "tools/src/with-browser.ts";
const firewall = "apps/edge/src/drivers/firewall";

/** What is too long for every change; docs/testing.md says why each is here. */
export const campaignStages: readonly Stage[] = [
  campaign("starts", firstStarts),
  campaign("production", productionStart),
  campaign("commands", firstCommands),
  program("prometheus", "apps/controller/test/prometheus-main.ts"),
  program("bench", withBrowser, "bench/src/main.ts", "--check"),
  program("sim", "sim/src/main.ts", "--seeds", "10000"),
  program("matrix", "apps/controller/test/matrix-main.ts"),
  program("hostile", "apps/controller/test/hostile-main.ts", "--cases", "10000"),
  program("abuse", "apps/controller/test/abuse-main.ts"),
  program(
    "battery",
    ...vitest,
    "--project=machines",
    `${firewall}/battery.test.ts`,
    `${firewall}/flows.test.ts`,
    `${firewall}/under-load.test.ts`,
  ),
  program("values", "e2e/lab/values/main.ts"),
  program("crawl", withBrowser, ...vitest, "--project=journeys", "e2e/src/crawl.test.ts"),
];
