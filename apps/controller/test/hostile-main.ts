// npm run hostile -- --cases 10000 --seed 7: generated calls and messages, for longer than a test.
// `--surface http` or `--surface edge` runs one of the two.
import { parseArgs } from "node:util";
import { testApi } from "./api.ts";
import { setup } from "./global-setup.ts";
import { runEdge } from "./hostile-edge.ts";
import { type Finding, runHttp } from "./hostile-http.ts";

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "10000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    surface: { type: "string" },
  },
});
if (![undefined, "http", "edge"].includes(values.surface)) {
  throw new Error(`no surface is called ${values.surface}`);
}
const amount = { cases: Number(values.cases), seed: Number(values.seed) };
console.log(`hostile: ${amount.cases} cases a surface, --seed ${amount.seed}`);

interface Reported {
  readonly findings: readonly Finding[];
  readonly slowestMs: number;
}

function report(
  surface: string,
  { findings, slowestMs }: Reported,
  counts: Map<unknown, number>,
): void {
  for (const { case: which, problem } of findings) console.log(`FOUND ${problem}\n      ${which}`);
  const outcomes = [...counts].map(([what, count]) => `${what}: ${count}`).sort();
  const slowest = `slowest ${Math.round(slowestMs)} ms`;
  console.log(`${surface}: ${findings.length} findings, ${slowest}; ${outcomes.join(", ")}`);
  const done = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (done < amount.cases) console.log(`FOUND only ${done} of ${amount.cases} cases ran`);
  if (findings.length > 0 || !(done >= amount.cases)) process.exitCode = 1;
}

const isIncluded = (surface: string): boolean => [undefined, surface].includes(values.surface);
const stop = await setup();
try {
  if (isIncluded("http")) {
    const api = await testApi();
    const run = await runHttp(api, amount).finally(() => api.close());
    report("http", run, run.codes);
  }
  if (isIncluded("edge")) {
    const run = await runEdge(amount);
    report("edge", run, run.outcomes);
  }
} finally {
  await stop();
}
