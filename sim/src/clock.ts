/** Time that only passes when nothing is left to do in it. */

interface Timer {
  readonly at: number;
  readonly order: number;
  isOff: boolean;
  readonly callback: () => void;
}

/** What a process sees of time: both programs' own shapes of a clock. */
export interface ProcessClock {
  now(): number;
  monotonic(): number;
  setTimeout(callback: () => void, ms: number): () => void;
}

const isBefore = (a: Timer, b: Timer): boolean =>
  a.at < b.at || (a.at === b.at && a.order < b.order);

/** All that awaits no timer happens: every part of a simulated world answers in microtasks. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class SimClock {
  #now = 0;
  #order = 0;
  /** A binary heap, the earliest first. */
  readonly #timers: Timer[] = [];

  /** Ms since the world began. */
  get now(): number {
    return this.#now;
  }

  /** @returns undoes it */
  setTimeout(callback: () => void, ms: number): () => void {
    this.#order += 1;
    const at = this.#now + Math.max(0, ms);
    const timer = { at, order: this.#order, isOff: false, callback };
    this.#push(timer);
    return () => {
      timer.isOff = true;
    };
  }

  /**
   * The clock of one process; once `isAlive` says no, its timers never fire.
   * @param wall ms since 1970, which may jump
   */
  process(isAlive: () => boolean, wall: () => number): ProcessClock {
    return {
      now: () => wall() + this.#now,
      monotonic: () => this.#now,
      setTimeout: (callback, ms) => this.setTimeout(() => isAlive() && callback(), ms),
    };
  }

  /** Fires what falls due until then, in order; stops early when `isEnough` says so. */
  async run(until: number, isEnough: () => boolean = () => false): Promise<void> {
    await settled();
    for (;;) {
      const next = this.#timers[0];
      if (!next || next.at > until || isEnough()) break;
      this.#pop();
      if (next.isOff) continue;
      this.#now = next.at;
      next.callback();
      await settled();
    }
    if (!isEnough()) this.#now = until;
  }

  #push(timer: Timer): void {
    const heap = this.#timers;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = heap[up] as Timer;
      if (isBefore(parent, timer)) break;
      heap[at] = parent;
      at = up;
    }
    heap[at] = timer;
  }

  #pop(): void {
    const heap = this.#timers;
    const last = heap.pop() as Timer;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      if (left >= heap.length) break;
      const isRight = right < heap.length && isBefore(heap[right] as Timer, heap[left] as Timer);
      const child = isRight ? right : left;
      if (isBefore(last, heap[child] as Timer)) break;
      heap[at] = heap[child] as Timer;
      at = child;
    }
    heap[at] = last;
  }
}
