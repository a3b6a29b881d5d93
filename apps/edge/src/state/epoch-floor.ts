import { type Log, reasonOf } from "#edge/log.ts";
import type { EdgeStore } from "#store/edge-store.ts";

/**
 * The latest epoch that a proven controller reported (design section 3.3). A restored controller begins
 * a new one; what it replaced may still run somewhere, and must not be listened to any more.
 */
export class EpochFloor {
  readonly #store: EdgeStore;
  readonly #log: Log;
  #known = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor({ store, log }: { readonly store: EdgeStore; readonly log: Log }) {
    this.#store = store;
    this.#log = log;
  }

  get known(): number {
    return this.#known;
  }

  /** From the disk; the confirmed state holds it as well, should the record be damaged. */
  async load(): Promise<void> {
    const kept = await this.#store.epoch.read();
    const confirmed = await this.#store.confirmed.read();
    const epochs = [
      kept.kind === "value" ? kept.value.epoch : 0,
      confirmed.kind === "value" ? confirmed.value.head.epoch : 0,
    ];
    this.#known = Math.max(this.#known, ...epochs);
  }

  /** A controller proved itself and sent this epoch, which is not before the known one. */
  start(epoch: number): void {
    if (epoch <= this.#known) return;
    if (this.#known > 0)
      this.#log.warn({ epoch, before: this.#known }, "the controller was restored: a new epoch");
    this.#known = epoch;
    this.#writing = this.#writing
      .then(() => this.#store.epoch.write({ epoch }))
      .catch((error) => this.#log.error({ why: reasonOf(error) }, "the epoch cannot be kept"));
  }
}
