import { defineConfig } from "vitest/config";
import { type TestProject, testProjects } from "./tools/src/test-projects.ts";

// Journeys drive a browser against everything at once: they run only when asked for by name.
const journeysNamed = process.argv.some((arg) => /^e2e$|^--project=(e2e|look)$/.test(arg));

// No isolation between unit test files: a large module graph is loaded once instead of once a file
// (60 files: 2 s instead of 29 s). Tests leave no global state behind.
// The limits only end what hangs: a busy machine must not decide whether a test passes.
const unit = {
  pool: "threads",
  isolate: false,
  testTimeout: 30_000,
  hookTimeout: 60_000,
} as const;

// One file at a time: these share the machine's network namespaces, or one running controller.
const alone = {
  pool: "forks",
  fileParallelism: false,
  testTimeout: 120_000,
  hookTimeout: 300_000,
} as const;

function project({ name, folder, stage }: TestProject, index: number) {
  return {
    test: {
      name,
      include: [`${folder}/**/*.test.{ts,tsx}`],
      environment: "node",
      ...(stage === "unit" ? unit : alone),
      ...(name === "controller" && { globalSetup: [`${folder}/test/global-setup.ts`] }),
      ...(name === "look" && { globalSetup: ["e2e/test/demonstration.ts"] }),
      // Vitest wants projects with their own number of workers in a group of their own.
      sequence: { groupOrder: stage === "unit" ? 0 : index },
    },
  };
}

export default defineConfig({
  test: {
    projects: testProjects.filter(({ stage }) => stage !== "e2e" || journeysNamed).map(project),
  },
});
