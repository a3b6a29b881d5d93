// npm run test:full: campaigns that take too long for every change. `npm run test:full -- starts`
// runs only those that are named.
import "./assert-node.ts";
import { performance } from "node:perf_hooks";
import { campaigns } from "./campaigns.ts";
import { duration } from "./duration.ts";
import { isEnding } from "./run-command.ts";
import { countLine, failure, type TestResult } from "./test-results.ts";
import { installRequirements } from "./test-stages.ts";

const named = process.argv.slice(2);
const names = campaigns.map(({ name }) => name);
const unknown = named.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`test:full: no campaign ${unknown.join(", ")}; there are ${names.join(", ")}`);
  process.exit(2);
}

const results: TestResult[] = await installRequirements();
for (const { name, run } of campaigns) {
  if (isEnding() || (named.length > 0 && !named.includes(name))) continue;
  console.log(`\n== ${name}`);
  // A campaign that throws has failed, and the others still have something to report.
  results.push(...(await run().catch((error) => [failure(name, String(error))])));
}
if (isEnding()) results.push(failure("(run)", "ended by a signal"));

console.log("");
for (const { id, state, message = "" } of results) {
  if (state === "failed") console.log(`FAILED  ${id}\n        ${message}`);
}
for (const { id, ms } of results) console.log(`${duration(ms).padStart(14)}  ${id}`);
console.log(`${duration(performance.now()).padStart(14)}  in all`);
console.log(countLine(results));
if (results.length === 0 || results.some(({ state }) => state === "failed")) process.exitCode ||= 1;
