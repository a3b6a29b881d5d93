/** A clock of a gateway that stands still until a test moves it on. */
import type { Clock } from "#gateway/clock.ts";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

export class ManualClock implements Clock {
  #now = 0;
  readonly #timers = new Set<Timer>();

  monotonic(): number {
    return this.#now;
  }

  setTimeout(callback: () => void, ms: number): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Fires what falls due within this time, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].sort((a, b) => a.at - b.at);
      if (!next || next.at > end) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.callback();
    }
    this.#now = end;
  }
}
