import { availableParallelism } from "node:os";
import path from "node:path";
import { defaultExclude, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { root } from "./tools/src/repository.ts";
import { fileReporter } from "./tools/src/test-file-reporter.ts";
import {
  reportVariable,
  type TestProject,
  takenFrom,
  testProjects,
} from "./tools/src/test-projects.ts";
import { useMemoryForFiles } from "./tools/src/test-temporary.ts";
import { timeBudget } from "./tools/src/time-budget.ts";

useMemoryForFiles();
// Tests start some hundred controllers and edges: each would strip and compile the same files.
process.env.NODE_COMPILE_CACHE ??= path.join(root, "build/compile-cache");

const report = process.env[reportVariable];

// Journeys drive a browser against everything at once: they run only when asked for by name.
const isJourney = ({ folder }: TestProject): boolean => folder.startsWith("e2e/");
const journeys = testProjects.filter(isJourney).map(({ name }) => name);
const journeysNamed = process.argv.some((arg) => journeys.includes(arg.replace("--project=", "")));

// No isolation between unit test files: a large module graph is loaded once instead of once a file
// (60 files: 2 s instead of 29 s). Tests leave no global state behind.
// The limits only end what hangs: a busy machine must not decide whether a test passes.
// Most of them wait for PostgreSQL, a child or a socket, so there is one more than there are cores;
// left to itself Vitest keeps a core free, and of two uses one. Eight do not use up connections.
const unit = {
  pool: "threads",
  isolate: false,
  maxWorkers: Math.min(availableParallelism() + 1, 8),
  testTimeout: 60_000,
  hookTimeout: 120_000,
} as const;

const apart = { pool: "forks", testTimeout: 120_000, hookTimeout: 300_000 } as const;

// One file at a time: these share the machine's network namespaces, or one running controller.
const alone = { ...apart, fileParallelism: false } as const;

// Each of these has an installation of its own, and waits for it more than half of the time.
const inPairs = { ...apart, maxWorkers: 2 } as const;

const ways = { unit, lab: alone, e2e: inPairs, look: alone } as const;

function project(one: TestProject, index: number) {
  const { name, folder, stage, files } = one;
  return {
    test: {
      name,
      include: [...(files ?? [`${folder}/**/*.test.{ts,tsx}`])],
      exclude: [...defaultExclude, ...takenFrom(one)],
      environment: "node",
      // Vitest's own second would be a limit for the machine, not for the test.
      expect: { poll: { timeout: 25_000 } },
      ...ways[stage],
      ...(name === "controller" && { globalSetup: [`${folder}/test/global-setup.ts`] }),
      ...(folder === "e2e/look" && { globalSetup: ["e2e/test/demonstration.ts"] }),
      // Vitest wants projects with their own number of workers in a group of their own.
      sequence: { groupOrder: stage === "unit" ? 0 : index },
    },
  };
}

const secondsOf = ({ moduleId }: TestSpecification): number =>
  timeBudget.named[path.relative(root, moduleId)] ?? 0;

/**
 * Files with the largest budgets come first within their project: one of them, started last, would
 * keep the run waiting with every other core idle.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project);
    // Sorting is stable: files without a line keep the order that Vitest gives them.
    return [...byProject.values()].flatMap((own) =>
      own.toSorted((one, two) => secondsOf(two) - secondsOf(one)),
    );
  }
}

export default defineConfig({
  test: {
    reporters: report
      ? [
          "default",
          ["json", { outputFile: `${report}.json` }],
          fileReporter(`${report}-files.json`),
        ]
      : ["default"],
    sequence: { sequencer: LongestFirst },
    projects: testProjects.filter((one) => !isJourney(one) || journeysNamed).map(project),
  },
});
