import type { Cancel, Clock, Random } from "#edge/clock.ts";

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Lets everything that needs no timer happen: all fakes of a test world answer in microtasks. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A clock that stands still until a test moves it. */
export class VirtualClock {
  #now = 0;
  #order = 0;
  #timers = new Set<Timer>();

  /** The clock of one process; after `kill` its timers never fire. */
  process(): { readonly clock: Clock; kill(): void } {
    let isAlive = true;
    const clock: Clock = {
      now: () => 1_700_000_000_000 + this.#now,
      monotonic: () => this.#now,
      setTimeout: (callback, ms) => this.#set(() => isAlive && callback(), ms),
    };
    return {
      clock,
      kill: () => {
        isAlive = false;
      },
    };
  }

  get now(): number {
    return this.#now;
  }

  #set(callback: () => void, ms: number): Cancel {
    this.#order += 1;
    const timer = { at: this.#now + Math.max(0, ms), order: this.#order, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Fires what falls due, in order, and lets everything happen that follows from it. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settled();
    for (;;) {
      const [next] = [...this.#timers].sort((a, b) => a.at - b.at || a.order - b.order);
      if (!next || next.at > end) break;
      this.#now = next.at;
      this.#timers.delete(next);
      next.callback();
      await settled();
    }
    this.#now = end;
  }
}

/** Chance from a seed (mulberry32): the same seed gives the same world. */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    fraction,
    bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(fraction() * 256)),
  };
};
