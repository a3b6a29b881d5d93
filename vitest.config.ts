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
  testTimeout: 120_000,
  hookTimeout: 120_000,
} as const;

const apart = { pool: "forks", testTimeout: 120_000, hookTimeout: 300_000 } as const;

// One file at a time: these share the machine's network namespaces, or one running controller.
const alone = { ...apart, fileParallelism: false } as const;

// Each of these has an installation or a lab of its own, and waits for it more than half of the time.
const twoAtOnce = { ...apart, maxWorkers: 2 } as const;

const ways = { unit, lab: alone, e2e: twoAtOnce, shared: alone } as const;

/** Vitest runs projects of one group beside each other: they have the same number of workers. */
function groupOf({ stage, inPairs }: TestProject, index: number): number {
  if (stage === "unit") return 0;
  return stage === "lab" && inPairs ? 1 : index + 2;
}

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
      ...(one.inPairs ? twoAtOnce : ways[stage]),
      ...(name === "controller" && { globalSetup: [`${folder}/test/global-setup.ts`] }),
      ...(folder === "e2e/shared" && { globalSetup: ["e2e/test/demonstration.ts"] }),
      sequence: { groupOrder: groupOf(one, index) },
    },
  };
}

const secondsOf = ({ moduleId }: TestSpecification): number =>
  timeBudget.named[path.relative(root, moduleId)] ?? 0;

const slowFirst = (files: readonly TestSpecification[]): TestSpecification[] =>
  // Sorting is stable: files without a line keep the order that Vitest gives them.
  files.toSorted((one, two) => secondsOf(two) - secondsOf(one));

/**
 * Files with the largest budgets come first within their project, and the project with the largest
 * file first: one of them, started last, would keep the run waiting with every other core idle.
 * Projects stay together: a worker that goes on with the same one has its modules already.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project);
    const heads = slowFirst([...byProject.values()].flatMap((own) => slowFirst(own).slice(0, 1)));
    return heads.flatMap(({ project: one }) => slowFirst(byProject.get(one) ?? []));
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
