/** Rate limits and blocks of addresses. All of them are in the memory of one gateway process. */

export interface TryLimit {
  /** Ms that the address still has to wait; 0: it may try. */
  waitMs(address: string): number;
  failed(address: string): void;
}

const maxAddresses = 10_000;

/**
 * Blocks an address for a while after this many failures.
 * @param now ms on a clock that never runs backwards
 */
export function createTryLimit(tries: number, closedMs: number, now: () => number): TryLimit {
  const failures = new Map<string, { count: number; until: number }>();
  const live = (address: string) => {
    const failure = failures.get(address);
    if (failure && failure.until <= now()) failures.delete(address);
    return failures.get(address);
  };
  return {
    waitMs(address) {
      const found = live(address);
      return found && found.count >= tries ? found.until - now() : 0;
    },
    failed(address) {
      const count = (live(address)?.count ?? 0) + 1;
      failures.delete(address);
      failures.set(address, { count, until: now() + closedMs });
      // The oldest entry is removed first: many addresses must not fill the memory.
      const oldest = failures.keys().next();
      if (failures.size > maxAddresses && !oldest.done) failures.delete(oldest.value);
    },
  };
}

/**
 * Allows a burst, and a rate per second after it.
 * @returns takes one; false: too many
 */
export function createBucket(burst: number, perSecond: number, now: () => number): () => boolean {
  let left = burst;
  let at = now();
  return () => {
    left = Math.min(burst, left + ((now() - at) / 1_000) * perSecond);
    at = now();
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

/**
 * A bucket for each name.
 * @returns takes one of that name's; false: too many
 */
export function createBuckets(
  burst: number,
  perSecond: number,
  now: () => number,
): (name: string) => boolean {
  const buckets = new Map<string, () => boolean>();
  return (name) => {
    const bucket = buckets.get(name) ?? createBucket(burst, perSecond, now);
    buckets.delete(name);
    buckets.set(name, bucket);
    // The least recently used one is removed first, and starts again.
    const oldest = buckets.keys().next();
    if (buckets.size > maxAddresses && !oldest.done) buckets.delete(oldest.value);
    return bucket();
  };
}
