import type { SessionUser } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { accountDelay, secondsToWait } from "./rules.ts";

interface Failures {
  readonly failed: number;
  /** ms, on a clock that no time change moves. */
  readonly at: number;
}

/** Failures older than this are forgiven, as at login. */
const windowMs = 900_000;
/** Beyond this many logins the old ones are looked through. */
const maxOwn = 10_000;

const failures = new Map<string, Failures>();

/** Of whom tries are counted: a stolen session must not keep its owner's own from what stops the thief. */
type Guesser = Pick<SessionUser, "userId" | "family">;
const keyOf = ({ userId, family }: Guesser): string => `${userId} ${family}`;

/**
 * Admits a guess at the caller's own password, or refuses it with the seconds to wait. The guess
 * counts as failed until it is forgiven, so that guesses side by side count each other. Counted in
 * this process: a row of its own could not be written while the call's transaction holds the
 * account's.
 */
export function admitPasswordTry(guesser: Guesser, now = performance.now()): void {
  const key = keyOf(guesser);
  const known = failures.get(key);
  const recent = known && now - known.at < windowMs ? known : { failed: 0, at: now };
  const secondsAgo = (now - recent.at) / 1000;
  const seconds = secondsToWait({ failed: recent.failed, secondsAgo }, accountDelay);
  if (seconds > 0) refuse("tooManyTries", { seconds });
  if (failures.size >= maxOwn) {
    for (const [text, { at }] of failures) if (now - at >= windowMs) failures.delete(text);
  }
  failures.set(key, { failed: recent.failed + 1, at: now });
}

/** The guess was right. */
export const clearPasswordTries = (guesser: Guesser): void => void failures.delete(keyOf(guesser));
