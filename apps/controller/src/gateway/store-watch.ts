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

/** Ms between two questions to a store that is away; several gateways do not ask in step. */
const pause = { least: 100, most: 2_000 } as const;

interface Outage {
  readonly since: number;
  readonly over: Promise<void>;
  end(): void;
}

/** One question at a time is asked of a store that is away, for all sockets together. */
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
      this.#askIn(pause.least);
    }
    return this.#outage.over;
  }

  /** Releases all waiters. */
  close(): void {
    this.#isClosed = true;
    this.#undo();
    this.#outage?.end();
  }

  #askIn(ms: number): void {
    const { clock, random } = this.#deps;
    const next = Math.min(2 * ms, pause.most);
    this.#undo = clock.setTimeout(
      () => void this.#ask().catch(() => this.#isClosed || this.#askIn(next)),
      ms * (0.5 + random.fraction()),
    );
  }

  async #ask(): Promise<void> {
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
