import type { Logger } from "pino";

/** Says the beginning and the end of an outage, and counts what lies between. */
export class Outage {
  readonly #logger: Pick<Logger, "warn" | "info">;
  readonly #what: string;
  #why: string | null = null;
  /** Failures of the outage that is; 0: there is none. */
  count = 0;

  /** @param what fails, for the log */
  constructor(logger: Pick<Logger, "warn" | "info">, what: string) {
    this.#logger = logger;
    this.#what = what;
  }

  failed(error: unknown): void {
    this.count++;
    const why = error instanceof Error ? error.message || error.name : String(error);
    // Another reason is news; the same every two seconds is none.
    if (why !== this.#why) this.#logger.warn({ why, failures: this.count }, this.#what);
    this.#why = why;
  }

  over(): void {
    if (this.count > 0) this.#logger.info({ failures: this.count }, `over: ${this.#what}`);
    this.count = 0;
    this.#why = null;
  }
}
