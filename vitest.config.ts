import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { palettes } from "./apps/console/palettes.ts";
import { root } from "./tools/src/repository.ts";
import { filesOf, type Sharing, type TestGroup, testGroups } from "./tools/src/test-groups.ts";
import { reportingInto, reportVariable } from "./tools/src/test-reporter.ts";
import { useOwnTemporary } from "./tools/src/test-temporary.ts";

useOwnTemporary();
// Tests start some hundred controllers and edges: each would strip and compile the same files.
process.env.NODE_COMPILE_CACHE ??= path.join(root, "build/compile-cache");

const report = process.env[reportVariable];

// The limits only end what hangs: a busy machine must not decide whether a test passes.
const sharing: Record<Sharing, object> = {
  // A large module graph is loaded once instead of once a file (60 files: 2 s instead of 29 s). Tests leave
  // no global state behind. Most wait for PostgreSQL or a socket, so there is one thread more than there are
  // cores; eight do not use up connections.
  threads: {
    pool: "threads",
    isolate: false,
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
  pairs: { pool: "forks", maxWorkers: 2, testTimeout: 120_000, hookTimeout: 300_000 },
  alone: { pool: "forks", fileParallelism: false, testTimeout: 120_000, hookTimeout: 300_000 },
};

function project(group: TestGroup, index: number) {
  return {
    plugins: [palettes()],
    test: {
      name: group.name,
      include: filesOf(group),
      environment: "node",
      // Vitest's own second would be a limit for the machine, not for the test.
      expect: { poll: { timeout: 25_000 } },
      ...sharing[group.sharing],
      globalSetup: group.globalSetup === undefined ? [] : [group.globalSetup],
      // Vitest runs projects of one order in parallel: they have the same number of workers.
      sequence: { groupOrder: group.stage === "unit" ? 0 : index + 1 },
    },
  };
}

export default defineConfig({
  test: {
    ...(report && reportingInto(report)),
    projects: testGroups.map(project),
  },
});
