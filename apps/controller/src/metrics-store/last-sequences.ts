/**
 * Which number of each boot is stored already. Known while the process runs; asked of the store the
 * first time, for many boots at once, since after a restart all devices send within the same seconds.
 */
import type { BootOf, MeasureStore } from "./store.ts";

/** Boots whose last number is kept in memory. */
const maxKnown = 50_000;
/** Boots that one statement reads. */
const maxPending = 1_000;
/** How long the first of them waits for the others. */
const gatherMs = 20;

interface PendingRead extends BootOf {
  resolve(sequence: number): void;
  reject(error: unknown): void;
}

export const keyOf = ({ nodeId, boot }: BootOf): string => `${nodeId} ${boot}`;

export class LastSequences {
  readonly #store: Pick<MeasureStore, "lastSequences">;
  readonly #known = new Map<string, number>();
  #pending: PendingRead[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(store: Pick<MeasureStore, "lastSequences">) {
    this.#store = store;
  }

  /** Rejects while the store is not there. */
  async of(boot: BootOf): Promise<number> {
    const known = this.#known.get(keyOf(boot));
    if (known !== undefined) return known;
    const last = await new Promise<number>((resolve, reject) => {
      this.#pending.push({ ...boot, resolve, reject });
      if (this.#pending.length >= maxPending) this.#readPending();
      else this.#timer ??= setTimeout(() => this.#readPending(), gatherMs);
    });
    return this.stored(boot, last);
  }

  /** Remembers that this number is stored; gives the highest that is. */
  stored(boot: BootOf, sequence: number): number {
    const key = keyOf(boot);
    const last = Math.max(sequence, this.#known.get(key) ?? 0);
    // Last in the order of the map, so that the device that has been silent longest goes first.
    this.#known.delete(key);
    this.#known.set(key, last);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
    return last;
  }

  /** The stored number is uncertain: it is read again next time. */
  forget(boot: BootOf): void {
    this.#known.delete(keyOf(boot));
  }

  #readPending(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const pending = this.#pending;
    this.#pending = [];
    this.#store.lastSequences(pending).then(
      (last) => {
        for (const [at, pendingRead] of pending.entries()) pendingRead.resolve(last[at] ?? 0);
      },
      (error: unknown) => {
        for (const pendingRead of pending) pendingRead.reject(error);
      },
    );
  }
}
