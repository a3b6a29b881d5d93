/** Whether the store answers, and who waits for it. */
import type { Clock, Log, Random } from "./clock.ts";
import type { GatewayStore, StoreAway } from "./store.ts";

export interface StoreWatchDeps {
  readonly store: Pick<GatewayStore, "installationEpoch">;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Pick<Log, "info" | "warn">;
  /** What has to be made true once the store answers; rejects when it is away again. */
  back(): Promise<void>;
}

/** Pause between two checks of a store that is away, with jitter so that several gateways do not check in step. */
const pause = { minMs: 100, maxMs: 2_000 } as const;

interface Outage {
  readonly since: number;
  readonly over: Promise<void>;
  end(): void;
}

/** Runs one check at a time on a store that is away, for all sockets together. */
export class StoreWatch {
  readonly #deps: StoreWatchDeps;
  #outage: Outage | null = null;
  #undo = (): void => undefined;
  #isClosed = false;

  constructor(deps: StoreWatchDeps) {
    this.#deps = deps;
  }

  /** A call did not reach the store. @returns resolves once it answers again, or all is closed */
  away(error: StoreAway): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    if (this.#outage === null) {
      const { clock, logger } = this.#deps;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#outage = { since: clock.monotonic(), over: promise, end: resolve };
      logger.warn(
        { err: error },
        "the database is unavailable; sockets stay open and messages are queued",
      );
      this.#checkIn(pause.minMs);
    }
    return this.#outage.over;
  }

  /** Releases all waiters. */
  close(): void {
    this.#isClosed = true;
    this.#undo();
    this.#outage?.end();
  }

  #checkIn(ms: number): void {
    const { clock, random } = this.#deps;
    const next = Math.min(2 * ms, pause.maxMs);
    this.#undo = clock.setTimeout(
      () => void this.#check().catch(() => this.#isClosed || this.#checkIn(next)),
      ms * (0.5 + random.fraction()),
    );
  }

  async #check(): Promise<void> {
    const { store, clock, logger, back } = this.#deps;
    await store.installationEpoch();
    await back();
    const outage = this.#outage;
    this.#outage = null;
    if (!outage) return;
    logger.info(
      { ms: Math.round(clock.monotonic() - outage.since) },
      "the database is available again",
    );
    outage.end();
  }
}
