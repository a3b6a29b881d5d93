import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from "prom-client";
import { loopRan } from "./events.ts";

/** Of this controller. */
export const versionOf = (): string => {
  const file = join(import.meta.dirname, "../../package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
};

/** Metrics of Node and of the operating system, under the names that all programs of Node have, and the build. */
export function measureProcess(registry: Registry, roles: ReadonlySet<string>): void {
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "weft_build_info",
    help: "Version of this controller, and what it runs; the value is always 1.",
    labelNames: ["version", "node_version", "roles"],
    registers: [registry],
  }).set(
    { version: versionOf(), node_version: process.versions.node, roles: [...roles].join(",") },
    1,
  );
}

/** Repeated work of worker and gateway, by its name in the log. @returns ends it */
export function measureLoops(registry: Registry): () => void {
  const registers = [registry];
  const runs = new Counter({
    name: "weft_loop_runs_total",
    help: "Runs of repeated work of the worker and the gateway, by result: ok or failed.",
    labelNames: ["loop", "result"],
    registers,
  });
  const seconds = new Histogram({
    name: "weft_loop_run_duration_seconds",
    help: "Duration of a run of repeated work.",
    labelNames: ["loop"],
    buckets: [0.01, 0.1, 1, 10, 60],
    registers,
  });
  const success = new Gauge({
    name: "weft_loop_last_success_timestamp_seconds",
    help: "When repeated work last ended without an error, as Unix time.",
    labelNames: ["loop"],
    registers,
  });
  return loopRan.listen(({ loop, seconds: took, failed }) => {
    runs.inc({ loop, result: "ok" }, failed ? 0 : 1);
    runs.inc({ loop, result: "failed" }, failed ? 1 : 0);
    seconds.observe({ loop }, took);
    if (!failed) success.set({ loop }, Date.now() / 1_000);
  });
}
