import { writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./repository.ts";
import type { FileTime } from "./test-times.ts";

/** What is read here of a file that Vitest has run. */
interface TestedFile {
  readonly moduleId: string;
  diagnostic(): { readonly collectDuration: number; readonly duration: number };
}

/** A reporter of Vitest: what each test file took, of which its JSON report leaves the hooks out. */
export function timeReporter(outputFile: string) {
  const times: FileTime[] = [];
  return {
    onTestModuleEnd(module: TestedFile): void {
      // What several files import counts to the first of them.
      const { collectDuration, duration } = module.diagnostic();
      const file = path.relative(root, module.moduleId);
      times.push({ file, ms: Math.round(collectDuration + duration) });
    },
    onTestRunEnd(): void {
      writeFileSync(outputFile, JSON.stringify(times));
    },
  };
}
