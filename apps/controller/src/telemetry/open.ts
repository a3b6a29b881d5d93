import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { Gauge, Registry } from "prom-client";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { Measures } from "#metrics-store/open.ts";
import { atMost } from "./at-most.ts";
import { measureCalls } from "./calls.ts";
import { measurePools } from "./database.ts";
import { measureDevices } from "./devices.ts";
import { showInstallation } from "./installation.ts";
import { type Counted, countInstallation } from "./installation-query.ts";
import { lastBackup } from "./last-backup.ts";
import { measureLoops, measureProcess } from "./process.ts";
import { measureIntake, measureMessages } from "./stores.ts";

export interface Measured {
  readonly roles: ReadonlySet<string>;
  readonly app: FastifyInstance;
  readonly pools: Pools<Database>;
  readonly measures: Measures;
  /** WEFT_DATA. */
  readonly dataDir: string;
}

export interface Telemetry {
  /** The metrics in the exposition format of Prometheus. Never rejects, and never waits for a store. */
  scrape(): Promise<{ readonly type: string; readonly text: string }>;
  close(): void;
}

/** Two scrapers, or one that asks too often, cost the stores no more than one. */
const freshMs = 2_000;

/** Begins to count what this process does. */
export function openTelemetry(input: Measured): Telemetry {
  const { roles, app, pools, measures } = input;
  const registry = new Registry();
  measureProcess(registry, roles);
  measureCalls(registry, app);
  const ends = [measurePools(registry, pools), measureLoops(registry)];
  if (roles.has("gateway")) {
    ends.push(measureDevices(registry), measureIntake(registry, measures.intake));
  }
  if (roles.has("worker")) ends.push(measureMessages(registry));
  const collect = watchStores(registry, input);
  return {
    async scrape() {
      await collect();
      return { type: registry.contentType, text: await registry.metrics() };
    },
    close() {
      for (const end of ends) end();
      registry.clear();
    },
  };
}

/** What a scrape asks: once in a while, never twice at the same time, never for longer than the limit. */
function watchStores(registry: Registry, { roles, pools, measures, dataDir }: Measured) {
  const registers = [registry];
  const up = new Gauge({
    name: "weft_store_up",
    help: "Whether a store answered this process within two seconds: 1 or 0.",
    labelNames: ["store"],
    registers,
  });
  new Gauge({
    name: "weft_last_backup_timestamp_seconds",
    help: "When the last backup was written with the WEFT_DATA of this process, as Unix time; absent: none is known.",
    registers,
    async collect() {
      this.remove();
      const at = await lastBackup(dataDir);
      if (at !== null) this.set(at / 1_000);
    },
  });
  // Several workers count the same; a process without this role leaves it to them.
  const show = roles.has("worker") ? showInstallation(registry) : null;
  const postgres = atMost(async (): Promise<readonly Counted[]> => {
    if (show) return countInstallation(pools);
    await sql`select 1`.execute(pools.apiAll.db);
    return [];
  });
  const clickhouse = atMost(() => measures.answers());
  let requestedAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> = Promise.resolve();
  const collect = async (): Promise<void> => {
    const [rows, answers] = await Promise.all([postgres(), clickhouse()]);
    up.set({ store: "postgresql" }, rows === null ? 0 : 1);
    up.set({ store: "clickhouse" }, answers === true ? 1 : 0);
    show?.(rows);
  };
  return (): Promise<void> => {
    if (performance.now() - requestedAt >= freshMs) {
      requestedAt = performance.now();
      pending = collect();
    }
    return pending;
  };
}
