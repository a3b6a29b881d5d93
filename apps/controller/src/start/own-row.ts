import { randomUUID, X509Certificate } from "node:crypto";
import { statfs } from "node:fs/promises";
import { hostname } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Logger } from "pino";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import {
  forgetProcess,
  type OwnProcess,
  type ProcessFacts,
  recordProcess,
} from "#domains/monitoring/installation/public.ts";
import { repeat } from "#kernel/repeat.ts";
import type { Intake } from "#metrics-store/intake.ts";
import type { Health } from "#plugins/health.ts";
import { atMost } from "#telemetry/at-most.ts";
import { certificateServed, socketsChanged } from "#telemetry/events.ts";
import { lastBackup } from "#telemetry/last-backup.ts";
import { versionOf } from "#telemetry/process.ts";

/** A third of the time after which a process counts as lost (processLostSeconds of the contract). */
const intervalMs = 15_000;

interface Given {
  readonly pools: Pools<Database>;
  readonly roles: ReadonlySet<string>;
  readonly intake: Pick<Intake, "waitingRows" | "oldestSeconds" | "refused">;
  /** WEFT_DATA. */
  readonly dataDir: string;
  readonly logger: Logger;
}

/** Keeps the row of this process, from which the console shows it. */
export class OwnRow {
  readonly #given: Given;
  readonly #delay = monitorEventLoopDelay();
  readonly #startedAt = new Date();
  readonly #ends: (() => void)[];
  #devices = 0;
  #certificateEndsAt: number | null = null;

  /** Before the roles start, so that nothing that they announce is missed. */
  constructor(given: Given) {
    this.#given = given;
    this.#delay.enable();
    this.#ends = [
      socketsChanged.listen(({ devices }) => {
        this.#devices = devices;
      }),
      certificateServed.listen(({ pem }) => {
        this.#certificateEndsAt = Date.parse(new X509Certificate(pem).validTo);
      }),
    ];
  }

  /** Forgets what it listens to; a row that was written is taken away by what `keep` returns. */
  close(): void {
    for (const end of this.#ends) end();
    this.#delay.disable();
  }

  /**
   * Writes the row now and again every 15 s.
   * @param port of console and API
   * @returns takes it away
   */
  keep(port: number, health: Health): () => Promise<void> {
    const { pools, roles, logger } = this.#given;
    const ownProcess: OwnProcess = {
      id: randomUUID(),
      host: hostname(),
      port,
      pid: process.pid,
      roles: [...roles],
      version: versionOf(),
      nodeVersion: process.versions.node,
      startedAt: this.#startedAt,
    };
    const write = async (): Promise<undefined> =>
      void (await recordProcess(pools, ownProcess, await this.#measure(health)));
    const writing = repeat("process", intervalMs, write, logger);
    const forget = atMost(async () => {
      await writing.close();
      await forgetProcess(pools, ownProcess.id);
      return true;
    });
    return async () => {
      // A database that is away does not keep a process from its end: the row ages.
      if (await forget()) return;
      logger.warn("the row of this process could not be removed");
    };
  }

  async #measure(health: Health): Promise<ProcessFacts> {
    const { roles, intake, dataDir } = this.#given;
    const [checks, disk, backupAt] = await Promise.all([
      health.poll(),
      statfs(dataDir).catch(() => null),
      lastBackup(dataDir),
    ]);
    const loopDelayMs = Math.round(this.#delay.percentile(99) / 1e6);
    this.#delay.reset();
    const isGateway = roles.has("gateway");
    const { waitingRows, oldestSeconds, refused } = intake;
    return {
      checks: checks.map(({ name, state }) => ({ name, state })),
      devices: isGateway ? this.#devices : null,
      certificateEndsAt: this.#certificateEndsAt,
      freeBytes: disk ? disk.bavail * disk.bsize : null,
      totalBytes: disk ? disk.blocks * disk.bsize : null,
      loopDelayMs,
      intake: isGateway ? { waitingRows, oldestSeconds, refused } : null,
      backupAt,
    };
  }
}
