import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { type Pools, poolKeys, type RolePool } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";

/** Why a statement failed, by its SQLSTATE (PostgreSQL manual, appendix A); the first that fits. */
const reasons: readonly (readonly [string, RegExp])[] = [
  ["constraint", /^23/],
  ["collision", /^40/],
  ["timeout", /^(57014|55P03|25P03)$/],
  ["connection", /^(08|57P|53|E[A-Z]{3,})/],
];
/** Errors of the driver have a text and no code. */
const lostText = /Connection terminated|timeout|not queryable/;

/** Pure. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code !== "string") return lostText.test(String(message)) ? "connection" : "other";
  return reasons.find(([, pattern]) => pattern.test(code))?.[0] ?? "other";
}

/** Connections and statements of this process. @returns ends it */
export function measurePools(registry: Registry, pools: Pools<Database>): () => void {
  measureConnections(registry, pools);
  return measureStatements(registry, pools);
}

function measureConnections(registry: Registry, pools: Pools<Database>): void {
  const gauge = (name: string, help: string, read: (pool: RolePool<Database>["pg"]) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["pool"],
      registers: [registry],
      collect() {
        for (const pool of poolKeys) this.set({ pool }, read(pools[pool].pg));
      },
    });
  gauge(
    "weft_database_connections_used",
    "Connections of a pool that are in use.",
    ({ totalCount, idleCount }) => totalCount - idleCount,
  );
  gauge(
    "weft_database_connections_idle",
    "Connections of a pool that are open and not in use.",
    ({ idleCount }) => idleCount,
  );
  gauge(
    "weft_database_connections_max",
    "Most connections that a pool opens.",
    ({ options }) => options.max,
  );
  gauge(
    "weft_database_connections_waiting",
    "Work that waits for a connection of a pool.",
    ({ waitingCount }) => waitingCount,
  );
}

function measureStatements(registry: Registry, pools: Pools<Database>): () => void {
  const registers = [registry];
  const seconds = new Histogram({
    name: "weft_database_statement_duration_seconds",
    help: "Duration of statements of PostgreSQL, from sending to the last row.",
    labelNames: ["pool"],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers,
  });
  const failures = new Counter({
    name: "weft_database_statement_failures_total",
    help: "Failed statements by reason: constraint and collision are everyday answers to callers; timeout, connection and other are not.",
    labelNames: ["pool", "reason"],
    registers,
  });
  for (const pool of poolKeys) {
    seconds.zero({ pool });
    for (const reason of [...reasons.map(([name]) => name), "other"]) {
      failures.inc({ pool, reason }, 0);
    }
  }
  return pools.onQuery(({ pool, durationMs, error }) => {
    seconds.observe({ pool }, durationMs / 1_000);
    if (error !== undefined) failures.inc({ pool, reason: reasonOf(error) });
  });
}
