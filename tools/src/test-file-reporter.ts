import { writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./repository.ts";
import type { SuiteError } from "./test-results.ts";
import type { FileTime } from "./test-times.ts";

/** What Vitest's JSON report does not contain of one test file. */
export interface FileRecord extends FileTime {
  /** Errors outside of tests: of the file itself and of the hooks of its suites. */
  readonly errors: readonly SuiteError[];
}

/** What is read here of a suite, or of a file, that Vitest has run. */
interface Suite {
  readonly type: string;
  readonly fullName?: string;
  errors(): readonly { readonly message: string }[];
}

interface TestedFile extends Suite {
  readonly moduleId: string;
  readonly children: { allSuites(): Iterable<Suite> };
  diagnostic(): { readonly collectDuration: number; readonly duration: number };
}

/** A reporter of Vitest: what each test file took, and the errors of its hooks. */
export function fileReporter(outputFile: string) {
  const records: FileRecord[] = [];
  return {
    onTestModuleEnd(module: TestedFile): void {
      // What several files import counts to the first of them.
      const { collectDuration, duration } = module.diagnostic();
      const file = path.relative(root, module.moduleId);
      const errors = [module, ...module.children.allSuites()].flatMap((suite) =>
        suite.errors().map(({ message }) => ({ suite: suite.fullName ?? "", message })),
      );
      records.push({ file, ms: Math.round(collectDuration + duration), errors });
    },
    onTestRunEnd(): void {
      writeFileSync(outputFile, JSON.stringify(records));
    },
  };
}
