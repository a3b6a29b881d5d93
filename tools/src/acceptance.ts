// npm run acceptance: which ids of the specification's lists the last `npm test` proved,
// and the groups of `npm run test:full` whose results are there.
// `npm run acceptance -- foundation endpoints` looks at those lists only.
import "./assert-node.ts";
import { existsSync } from "node:fs";
import { acceptanceLists, evaluate } from "./acceptance-lists.ts";
import { inRoot, readJson } from "./repository.ts";
import type { TestResult } from "./test-reporter.ts";

const resultsFile = "build/test-results.json";
const fullFile = "build/full-results.json";

interface Run {
  readonly stages: readonly { readonly name: string }[];
  readonly results: readonly TestResult[];
}

const lists = acceptanceLists((file) => readJson(`packages/contract/spec/${file}`));
const names = process.argv.slice(2);
const unknown = names.filter((name) => !lists.some((list) => list.name === name));
if (unknown.length > 0) {
  const names = lists.map(({ name }) => name).join(", ");
  console.error(`acceptance: no list ${unknown.join(", ")}; there are ${names}`);
  process.exit(2);
}
if (!existsSync(inRoot(resultsFile))) {
  console.error(`acceptance: no ${resultsFile}; run npm test first`);
  process.exit(2);
}

const { stages, results } = readJson<Run>(resultsFile);
interface Groups {
  readonly groups: Readonly<Record<string, { readonly results: readonly TestResult[] }>>;
}
const full = existsSync(inRoot(fullFile)) ? readJson<Groups>(fullFile).groups : {};
const all = [...results, ...Object.values(full).flatMap((group) => group.results)];
const selected = lists.filter(({ name }) => names.length === 0 || names.includes(name));
const evaluated = evaluate(selected, all);
for (const { proofs } of evaluated) {
  for (const { id, test } of proofs) {
    console.log(test === null ? `missing  ${id}` : `pass     ${id}  ${test}`);
  }
}
console.log("");
console.log(`the last run had these stages: ${stages.map(({ name }) => name).join(", ")}`);
for (const { name, proofs } of evaluated) {
  const proven = proofs.filter(({ test }) => test !== null).length;
  console.log(`${name}: ${proven} of ${proofs.length} proven, ${proofs.length - proven} missing`);
  if (proven < proofs.length) process.exitCode = 1;
}
