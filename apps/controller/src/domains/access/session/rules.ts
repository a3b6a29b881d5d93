/** What is known of earlier tries of one account or one address. */
export interface Tries {
  /** Failures in a row (an account) or in the window (an address). */
  readonly failed: number;
  /** Seconds since the last of them; null when there is none. */
  readonly secondsAgo: number | null;
}

interface DelayLaw {
  /** Failures without a delay: people mistype. */
  readonly free: number;
  readonly maxSeconds: number;
}

/** An account's delay stays short: a stranger must not be able to lock its owner out. */
export const accountLaw: DelayLaw = { free: 4, maxSeconds: 60 };
/** An office shares an address, so more is free; who tries many accounts from it waits longer. */
export const addressLaw: DelayLaw = { free: 20, maxSeconds: 300 };

/** Failures older than this are forgiven. */
export const lockWindow = "15 minutes";

/** Whole seconds until the next try is allowed; 0: now. The delay doubles with each failure. */
export function secondsToWait({ failed, secondsAgo }: Tries, law: DelayLaw): number {
  if (secondsAgo === null || failed <= law.free) return 0;
  const delay = Math.min(law.maxSeconds, 2 ** (failed - law.free - 1));
  return Math.max(0, Math.ceil(delay - secondsAgo));
}
