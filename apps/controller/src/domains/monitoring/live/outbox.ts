import type { Transition } from "./store.ts";

/** Ms that a row may be committed after one with a greater sequence and is still reported. */
const settleMs = 10_000;
/** Rows of one read. */
const maxRows = 2_000;
/** Rows that are remembered for streams that come back. */
const keptRows = 5_000;

export interface OutboxDeps {
  read(after: number, limit: number): Promise<readonly Transition[]>;
  newest(): Promise<number>;
  /** Ms on a clock that no time change moves. */
  now(): number;
}

/**
 * Reads the outbox in its order, each row once. Sequences are given before COMMIT, so a row may
 * appear behind one that was read already: what is younger than some seconds is looked at again,
 * and what was seen is left out.
 */
export class Outbox {
  readonly #deps: OutboxDeps;
  /** Rows up to here are settled; null: not started. */
  #settled: number | null = null;
  /** Sequence -> when it was seen first. */
  readonly #seen = new Map<number, number>();
  #kept: Transition[] = [];

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  /** Rows that are new, oldest first; those before the first call are not reported. */
  async take(): Promise<readonly Transition[]> {
    if (this.#settled === null) {
      this.#settled = await this.#deps.newest();
      return [];
    }
    const now = this.#deps.now();
    const rows = await this.#deps.read(this.#settled, maxRows);
    const fresh = rows.filter(({ sequence }) => !this.#seen.has(sequence));
    for (const { sequence } of fresh) this.#seen.set(sequence, now);
    this.#kept = [...this.#kept, ...fresh].slice(-keptRows);
    // Sorted by sequence: the first that is still young stops it. A full read cannot wait.
    for (const { sequence } of rows) {
      const since = this.#seen.get(sequence) ?? now;
      if (now - since < settleMs && rows.length < maxRows) break;
      this.#settled = sequence;
      this.#seen.delete(sequence);
    }
    return fresh;
  }

  /** What came after a sequence; null: that is too long ago to be known. */
  after(sequence: number): readonly Transition[] | null {
    const at = this.#kept.findIndex((transition) => transition.sequence === sequence);
    return at < 0 ? null : this.#kept.slice(at + 1);
  }
}
