import { addressDelay, placeOf, secondsToWait } from "#domains/access/session/public.ts";
import { refuse } from "#kernel/refuse.ts";

const windowMs = 15 * 60_000;
/** Addresses remembered at most; the one that failed longest ago goes first. */
const maxAddresses = 10_000;

interface Tries {
  /** Ends the call with the seconds to wait, when the address has failed too often. */
  admit(address: string): void;
  /** After a wrong key. */
  failed(address: string): void;
}

/**
 * Counts wrong keys by address. It is kept by this process alone: a key has 256 bits, so nothing
 * rests on the count but that guessing is slow and costs the database little.
 * @param now ms of a clock that no time change moves.
 */
export function createTries(now: () => number): Tries {
  const known = new Map<string, { failed: number; at: number }>();
  const recent = (place: string) => {
    const entry = known.get(place);
    return entry && now() - entry.at < windowMs ? entry : { failed: 0, at: now() };
  };
  return {
    admit(address) {
      const { failed, at } = recent(placeOf(address).place);
      const seconds = secondsToWait({ failed, secondsAgo: (now() - at) / 1000 }, addressDelay);
      if (seconds > 0) refuse("tooManyTries", { seconds });
    },
    failed(address) {
      const { place } = placeOf(address);
      const { failed } = recent(place);
      known.delete(place);
      known.set(place, { failed: failed + 1, at: now() });
      const [oldest] = known.keys();
      if (known.size > maxAddresses && oldest !== undefined) known.delete(oldest);
    },
  };
}
