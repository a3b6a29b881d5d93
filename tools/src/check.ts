// npm run check: format, lint, types and unused code, without the long tests.
import "./assert-node.ts";
import { performance } from "node:perf_hooks";
import { runChecks } from "./check-steps.ts";
import { duration } from "./duration.ts";

const results = await runChecks();
const failed = results.filter(({ state }) => state === "failed");
console.log(`check: ${failed.length} of ${results.length} failed, ${duration(performance.now())}`);
if (failed.length > 0) process.exitCode ||= 1;
