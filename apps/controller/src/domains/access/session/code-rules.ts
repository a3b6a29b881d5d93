import { randomInt } from "node:crypto";

/** What a code is for: a login, a recovery over one of two ways, or the proof of an address. */
export type CodePurpose = "login" | "phone" | "email" | "confirmPhone" | "confirmEmail";

/** Lifetime of a code in minutes. */
export const codeMinutes = 5;
/** Attempts per code: five guesses at one in a million. */
export const codeTries = 5;

/** Codes requested within the last hour for one recipient, from one address, or both. */
export interface RecentRequests {
  readonly count: number;
  /** Seconds since the last and since the first of them; null: none. */
  readonly lastAgo: number | null;
  readonly firstAgo: number | null;
}

interface RequestLimit {
  readonly pauseSeconds: number;
  readonly hourly: number;
}

const hour = 3600;

/** For one recipient from one address. Each text message costs money and disturbs its recipient. */
export const recipientLimit: RequestLimit = { pauseSeconds: 60, hourly: 5 };
/**
 * For one recipient from all addresses together. Addresses that have logged in to one of its accounts are exempt, so
 * that others cannot use up the limit of the account's owner.
 */
const unknownPlacesLimit: RequestLimit = { pauseSeconds: 0, hourly: 15 };
/** For all recipients from one address: an office shares one. */
export const addressLimit: RequestLimit = { pauseSeconds: 0, hourly: 30 };

/** Whole seconds until the next code may be requested; 0: now. */
export function secondsToNextRequest(
  { count, lastAgo, firstAgo }: RecentRequests,
  limit: RequestLimit,
): number {
  if (lastAgo === null || firstAgo === null) return 0;
  const full = count >= limit.hourly ? hour - firstAgo : 0;
  return Math.max(0, Math.ceil(limit.pauseSeconds - lastAgo), Math.ceil(full));
}

/** Earlier requests that count when a code is requested. */
export interface CodeRequestHistory {
  /** For the recipient, from the address of the call. */
  readonly own: RecentRequests;
  /** For the recipient, from all addresses. */
  readonly target: RecentRequests;
  /** For all recipients, from the address of the call. */
  readonly place: RecentRequests;
  /** This address has logged in to an account of the recipient. */
  readonly isKnownPlace: boolean;
}

/** Whole seconds until this code may be requested; 0: now. Requests from elsewhere do not delay known addresses. */
export function secondsToNextCode({
  own,
  target,
  place,
  isKnownPlace,
}: CodeRequestHistory): number {
  const here = Math.max(
    secondsToNextRequest(own, recipientLimit),
    secondsToNextRequest(place, addressLimit),
  );
  return isKnownPlace ? here : Math.max(here, secondsToNextRequest(target, unknownPlacesLimit));
}

/** Six digits, each as likely as the others. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, "0");
