import { refuse } from "#kernel/refuse.ts";
import { accountLaw, secondsToWait } from "./rules.ts";

interface Failures {
  readonly failed: number;
  /** ms, on a clock that no time change moves. */
  readonly at: number;
}

/** Failures older than this are forgiven, as at login. */
const windowMs = 900_000;
/** Beyond this many people the old ones are looked through. */
const maxOwn = 10_000;

const failures = new Map<number, Failures>();

/**
 * Admits a guess at the caller's own password, or refuses it with the seconds to wait. The guess
 * counts as failed until it is forgiven, so that guesses side by side count each other. Counted in
 * this process: a row of its own could not be written while the call's transaction holds the
 * account's.
 */
export function admitOwn(userId: number, now = performance.now()): void {
  const known = failures.get(userId);
  const recent = known && now - known.at < windowMs ? known : { failed: 0, at: now };
  const secondsAgo = (now - recent.at) / 1000;
  const seconds = secondsToWait({ failed: recent.failed, secondsAgo }, accountLaw);
  if (seconds > 0) refuse("tooManyTries", { seconds });
  if (failures.size >= maxOwn) {
    for (const [id, { at }] of failures) if (now - at >= windowMs) failures.delete(id);
  }
  failures.set(userId, { failed: recent.failed + 1, at: now });
}

/** The guess was right. */
export const forgiveOwn = (userId: number): void => void failures.delete(userId);
