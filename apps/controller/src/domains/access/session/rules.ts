/** What is known of earlier tries of one account, one place or one device. */
export interface Tries {
  /** Failures in a row (of an account from a place) or in the window (of a place). */
  readonly failed: number;
  /** Seconds since the last of them; null when there is none. */
  readonly secondsAgo: number | null;
}

interface DelayLaw {
  /** Failures without a delay: people mistype. */
  readonly free: number;
  readonly maxSeconds: number;
}

/** Of one account from one place, or by one device: nobody elsewhere waits for it. */
export const accountLaw: DelayLaw = { free: 4, maxSeconds: 60 };
/** An office shares an address, so more is free; who tries many accounts from it waits longer. */
export const addressLaw: DelayLaw = { free: 20, maxSeconds: 300 };
/** Of one account from everywhere: more than one place gets to in the window. Its own places are exempt. */
const strangersLaw: DelayLaw = { free: 100, maxSeconds: 60 };
/** Tries a minute of one account from networks that never failed at it, while strangers have to wait. */
export const maxNewcomers = 20;

/** Failures older than this are forgiven. */
export const lockWindow = "15 minutes";

/** Places that logged in to an account are its own for so long. */
export const knownFor = "90 days";

/** Whole seconds until the next try is allowed; 0: now. The delay doubles with each failure. */
export function secondsToWait({ failed, secondsAgo }: Tries, law: DelayLaw): number {
  if (secondsAgo === null || failed <= law.free) return 0;
  const delay = Math.min(law.maxSeconds, 2 ** (failed - law.free - 1));
  return Math.max(0, Math.ceil(delay - secondsAgo));
}

/** What is known when somebody tries to log in to an account. */
export interface LoginHistory {
  /** Failures of the account from this place, or by this device, since it was logged in to from there. */
  readonly own: Tries;
  /** Failures of all accounts from this place. */
  readonly place: Tries;
  /** Failures of the account from places, and by devices, that never logged in to it. */
  readonly strangers: Tries;
  /** Those of them within the last minute. */
  readonly lastMinute: number;
  /** Failures of the account from the network around the place. */
  readonly network: number;
  /** The account was logged in to from this place before. */
  readonly isKnownPlace: boolean;
  /** The device has proved that it logged in to the account before. */
  readonly isKnownDevice: boolean;
}

/**
 * Whole seconds until this try is allowed; 0: now. An outsider delays nobody but whoever shares the place: the
 * owner of an account gets in from elsewhere, and by a device that logged in before from there as well. Only a
 * crowd of places delays an account, and not for places and devices that it knows, nor for a network
 * that has not failed at it, unless the crowd has many of those.
 */
export function secondsToLogin(history: LoginHistory): number {
  const own = secondsToWait(history.own, accountLaw);
  if (history.isKnownDevice) return own;
  const here = Math.max(own, secondsToWait(history.place, addressLaw));
  const isExempt =
    history.isKnownPlace || (history.network === 0 && history.lastMinute < maxNewcomers);
  return isExempt ? here : Math.max(here, secondsToWait(history.strangers, strangersLaw));
}
