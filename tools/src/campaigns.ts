import { campaignRequirements } from "@weft/lab/requirements.ts";
import { firstCommands, firstStarts, productionStart } from "./first-starts.ts";
import { inRoot } from "./repository.ts";
import { testGroups } from "./test-groups.ts";
import type { TestResult } from "./test-reporter.ts";
import { installRequirements, isFailed, runStep, type Stage, vitestStage } from "./test-stages.ts";

/** Two hours: a campaign computes for long, and is ended only when it hangs. */
const limitMinutes = 120;

const campaign = (name: string, run: (limitMs: number) => Promise<TestResult[]>): Stage => ({
  name,
  limitMinutes,
  run,
});

/** A program of the repository that reports by its exit code whether it found something, or tried nothing. */
const program = (name: string, ...argv: readonly string[]): Stage =>
  campaign(name, async (limitMs) => {
    const packages = await installRequirements(campaignRequirements[name]);
    const line = [process.execPath, inRoot("tools/src/run.mjs"), ...argv] as const;
    return [...packages.filter(isFailed), await runStep(`full > ${name}`, line, limitMs)];
  });

/** Test files of a group in their long form. */
const longForm = (name: string, of: string, env: Record<string, string>, files: string[]): Stage =>
  vitestStage(
    name,
    testGroups.filter((group) => group.name === of),
    limitMinutes,
    { files, env },
  );

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
  longForm("battery", "machines", { WEFT_BATTERY: "full" }, [
    `${firewall}/battery.test.ts`,
    `${firewall}/flows.test.ts`,
    `${firewall}/under-load.test.ts`,
  ]),
  program("values", "e2e/lab/values/main.ts"),
  program("debian", "tools/src/debian-kernel.ts"),
  longForm("crawl", "journeys", { WEFT_CRAWL: "full" }, ["e2e/src/crawl.test.ts"]),
];
