import path from "node:path";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import type { Logger } from "pino";
import { EmbeddedEngine } from "./embedded.ts";
import { type Engine, engineOf } from "./engine.ts";
import { FlowIntake } from "./flow-intake.ts";
import { Intake } from "./intake.ts";
import { Outage } from "./outage.ts";
import { createStore, type MeasureStore } from "./store.ts";

export interface Measures {
  readonly store: MeasureStore;
  readonly intake: Intake;
  readonly flows: FlowIntake;
  /** Whether it answers now. */
  answers(): Promise<boolean>;
  /** Resolves once tables are there, true, or after this many ms, false. */
  ready(timeoutMs: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface MeasuresInput {
  /** Absent: the embedded one. */
  readonly clickhouseUrl: string | undefined;
  readonly dataDir: string;
  readonly demonstration: boolean;
  readonly logger: Logger;
}

const retryMs = 2_000;
/** Failures are logged here, in one line each; the client would print stacks beside the log. */
const silent = { level: ClickHouseLogLevel.OFF };

/**
 * Opens the metrics store in the background: what needs no metrics starts and runs without it,
 * and every call on it rejects until it is there.
 */
export const openMeasures = (input: MeasuresInput): Measures => {
  const { logger, clickhouseUrl, dataDir, demonstration } = input;
  const folder = path.join(dataDir, demonstration ? "measures-demonstration" : "measures");
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isMigrated = false;
  const outage = new Outage(logger, "the metrics store is not ready: metrics are not stored");
  let made: () => void = () => undefined;
  const migrated = new Promise<void>((resolve) => {
    made = resolve;
  });
  const migrate = (): void => {
    if (isClosed) return;
    const onMigrated = (): void => {
      isMigrated = true;
      outage.over();
      made();
    };
    store.migrate().then(onMigrated, (error: unknown) => {
      outage.failed(error);
      // A child that ended opens again and calls by itself as well: whichever comes first.
      clearTimeout(timer);
      if (!isClosed) timer = setTimeout(migrate, retryMs);
    });
  };
  const engine: Engine =
    clickhouseUrl === undefined
      ? new EmbeddedEngine({ folder, logger, opened: () => migrate() })
      : engineOf(createClient({ url: clickhouseUrl, request_timeout: 30_000, log: silent }));
  const store = createStore(engine);
  const intake = new Intake(store, logger);
  const flows = new FlowIntake(store.flows, logger);
  if (clickhouseUrl !== undefined) migrate();
  return {
    store,
    intake,
    flows,
    answers: async () => isMigrated && (await engine.query("select 1 as n", {})).length === 1,
    ready: (timeoutMs) =>
      Promise.race([
        migrated.then(() => true),
        new Promise<boolean>((resolve) => setTimeout(resolve, timeoutMs, false).unref()),
      ]),
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all([intake.close(), flows.close()]);
      // A store that is gone already is mended at the next start.
      await store.settle().catch(() => undefined);
      await engine.close();
    },
  };
};
