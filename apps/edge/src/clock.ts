/**
 * Time and chance as they are passed in: nothing in `state/` and `link/` takes them from anywhere
 * else, so that a seeded simulation can run the real code (design section 3).
 */
import { randomBytes } from "node:crypto";

export type Cancel = () => void;

export interface Clock {
  /** Wall clock, ms since 1970: for display only, nothing is decided by it. */
  now(): number;
  /** Ms on a clock that no change of the wall clock moves; deadlines use this one. */
  monotonic(): number;
  setTimeout(callback: () => void, ms: number): Cancel;
}

export interface Random {
  bytes(count: number): Uint8Array;
  /** At least 0, below 1. */
  fraction(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (callback, ms) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  fraction: () => Math.random(),
};

/** Ms between `low` and `high`. */
export const between = (random: Random, low: number, high: number): number =>
  low + random.fraction() * (high - low);

/** Resolves after `ms`, or immediately when the signal ends; it never rejects. */
export const sleep = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = () => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
