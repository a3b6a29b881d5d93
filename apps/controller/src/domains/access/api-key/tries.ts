import { addressLaw, secondsToWait } from "#domains/access/session/public.ts";
import { refuse } from "#kernel/refuse.ts";

const WINDOW_MS = 15 * 60_000;
/** Addresses remembered at most; the one that failed longest ago goes first. */
const MAX_ADDRESSES = 10_000;

interface Tries {
  /** Ends the call with the seconds to wait, when the address has failed too often. */
  admit(address: string): void;
  failed(address: string): void;
}

/**
 * Counts wrong keys by address. It is kept by this process alone: a key has 256 bits, so nothing
 * rests on the count but that guessing is slow and costs the database little.
 * @param now ms of a clock that no time change moves.
 */
export function createTries(now: () => number): Tries {
  const known = new Map<string, { failed: number; at: number }>();
  const recent = (address: string) => {
    const found = known.get(address);
    return found && now() - found.at < WINDOW_MS ? found : { failed: 0, at: now() };
  };
  return {
    admit(address) {
      const { failed, at } = recent(address);
      const seconds = secondsToWait({ failed, secondsAgo: (now() - at) / 1000 }, addressLaw);
      if (seconds > 0) refuse("tooManyTries", { seconds });
    },
    failed(address) {
      const { failed } = recent(address);
      known.delete(address);
      known.set(address, { failed: failed + 1, at: now() });
      const [oldest] = known.keys();
      if (known.size > MAX_ADDRESSES && oldest !== undefined) known.delete(oldest);
    },
  };
}
