// npm run bench: every performance claim as a program. Names of benches choose among
// them; --nodes 100,1000 gives `edit` and `telemetry` other sizes than theirs, --json FILE keeps the
// values, --results writes the table into bench/RESULTS.md, --check names what is more than a fifth
// worse than there and ends with code 1 then.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benches } from "./benches.ts";
import { compare, processorOf, recordedRows } from "./check.ts";
import { root } from "./child.ts";
import { closeAll } from "./installation.ts";
import { lineOf, mergeTables, type Result, table, verdictOf, withResults } from "./report.ts";
import { waits } from "./waiting.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: "boolean", default: false },
    json: { type: "string" },
    nodes: { type: "string", default: "" },
    results: { type: "boolean", default: false },
  },
});

const unknown = positionals.filter((name) => !benches.some((bench) => bench.names.includes(name)));
if (unknown.length > 0) {
  const known = benches.flatMap(({ names }) => names).join(", ");
  console.error(`no bench named ${unknown.join(", ")}; there are ${known}`);
  process.exit(2);
}

const nodes = values.nodes.split(",").filter(Boolean).map(Number);
if (nodes.some((size) => !Number.isInteger(size) || size < 2)) {
  console.error(`--nodes ${values.nodes}: whole numbers from 2 on, with commas`);
  process.exit(2);
}

let ending: Promise<void> | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    console.error(`${signal} while this was under way: ${waits()}`);
    ending ??= closeAll().finally(() => process.exit(1));
  });
}

const all: Result[] = [];
try {
  for (const { names, run } of benches) {
    const wanted = names.filter((name) => positionals.length === 0 || positionals.includes(name));
    if (wanted.length === 0) continue;
    const before = all.length;
    for await (const result of run(new Set(wanted), nodes)) {
      console.log(lineOf(result));
      all.push(result);
    }
    if (all.length === before) throw new Error(`${wanted.join(", ")}: nothing was measured`);
  }
} catch (error) {
  // A bench whose servers were taken away fails: that must not overtake the end in order.
  await ending;
  throw error;
}

const page = join(root, "bench/RESULTS.md");
// As it was before this run.
const recorded = recordedRows(readFileSync(page, "utf8"));
const day = new Date().toISOString().slice(0, 10);
const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, Node ${process.versions.node}`;
const rows = table(all, { day, machine });
console.log(`\n${rows}`);
if (values.json !== undefined) {
  writeFileSync(values.json, `${JSON.stringify({ machine, day, results: all }, null, 2)}\n`);
}
if (values.results) {
  writeFileSync(
    page,
    withResults(readFileSync(page, "utf8"), (old) => mergeTables(old, rows)),
  );
}
if (values.check) {
  const compared = all.map((one) => compare(one, recorded, processorOf(machine)));
  for (const { kind, text } of compared) console.log(`${kind}: ${text}`);
  const worse = compared.filter(({ kind }) => kind === "worse");
  console.log(`${worse.length} of ${all.length} values are more than a fifth worse than recorded`);
  if (worse.length > 0) process.exitCode = 1;
}
if (all.some((result) => verdictOf(result) === "void")) {
  console.log("void: the yardstick moved by more than a fifth between rounds; run it again");
}
