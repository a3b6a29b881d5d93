/** Earlier failed logins of one account, one address or one device. */
export interface Tries {
  /** Consecutive failures (of an account from an address) or failures within the window (of an address). */
  readonly failed: number;
  /** Seconds since the last of them; null when there is none. */
  readonly secondsAgo: number | null;
}

interface DelayLimit {
  /** Failures without a delay: people mistype. */
  readonly free: number;
  readonly maxSeconds: number;
}

/** For one account from one address or device: others are not delayed. */
export const accountDelay: DelayLimit = { free: 4, maxSeconds: 60 };
/** For all accounts from one address. More failures are free because an office shares an address. */
export const addressDelay: DelayLimit = { free: 20, maxSeconds: 300 };
/** For one account from all unknown addresses together: more than one address reaches in the window. */
const unknownPlacesDelay: DelayLimit = { free: 100, maxSeconds: 60 };
/** Logins a minute that networks without a failure may try on one account while unknown addresses are delayed. */
export const maxNewcomers = 20;

/** Failures older than this are forgiven. */
export const lockWindow = "15 minutes";

/** How long an address stays known to an account after a login. */
export const knownFor = "90 days";

/** Whole seconds until the next try is allowed; 0: now. The delay doubles with each failure. */
export function secondsToWait({ failed, secondsAgo }: Tries, limit: DelayLimit): number {
  if (secondsAgo === null || failed <= limit.free) return 0;
  const delay = Math.min(limit.maxSeconds, 2 ** (failed - limit.free - 1));
  return Math.max(0, Math.ceil(delay - secondsAgo));
}

/** Earlier failures that count for a login to an account. */
export interface LoginHistory {
  /** Of the account from this address or device, since its last login from there. */
  readonly own: Tries;
  /** Of all accounts from this address. */
  readonly place: Tries;
  /** Of the account from addresses and devices that never logged in to it. */
  readonly strangers: Tries;
  /** Those of them within the last minute. */
  readonly lastMinute: number;
  /** Failures of the account from the network of the address. */
  readonly network: number;
  /** This address has logged in to the account before. */
  readonly isKnownPlace: boolean;
  /** The device has proved that it logged in to the account before. */
  readonly isKnownDevice: boolean;
}

/**
 * Whole seconds until this login is allowed; 0: now. Failures from one address delay only that address: the owner of
 * the account can log in from another one, and from a known device everywhere. Only failures from many unknown
 * addresses delay an account as a whole. Known addresses and devices are exempt, and so are networks without a
 * failure as long as few of them try.
 */
export function secondsToLogin(history: LoginHistory): number {
  const accountWait = secondsToWait(history.own, accountDelay);
  if (history.isKnownDevice) return accountWait;
  const here = Math.max(accountWait, secondsToWait(history.place, addressDelay));
  const isExempt =
    history.isKnownPlace || (history.network === 0 && history.lastMinute < maxNewcomers);
  return isExempt ? here : Math.max(here, secondsToWait(history.strangers, unknownPlacesDelay));
}
