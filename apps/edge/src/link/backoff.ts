import type { Refusal } from "@weft/contract/device/v1/messages.ts";
import type { Random } from "#edge/clock.ts";
import { between } from "#edge/clock.ts";
import type { Unanswered } from "./dial.ts";

const minMs = 1_000;
const firstMs = 8_000;
const maxMs = 60_000;
const slowMs = { min: 60_000, max: 300_000 };
const maxWaitMs = 3_600_000;

/** Refusals that a quick return does not change: a person has to do something first. */
const slow: ReadonlySet<Refusal> = new Set<Refusal>([
  "unknownNode",
  "notApproved",
  "disabled",
  "rejected",
  "removed",
  "quarantined",
  "badSignature",
  "protocol",
]);

export interface Failure {
  readonly refusal: Refusal | null;
  readonly retryAfterMs: number | null;
  readonly unanswered: Unanswered | null;
}

/**
 * Ms until the next attempt: full jitter between one second and a limit that doubles up to a
 * minute, so that a controller that cannot keep up gets fewer attempts. Where nothing listens an attempt costs
 * one segment and its reset: the limit stays, so that a fleet is back soon after its controller. What the
 * controller asks for is kept, with a quarter of jitter on top.
 *
 * @param round how often every known address has failed in a row; 0 after a good connection
 */
export const reconnectDelay = (random: Random, round: number, failure: Failure): number => {
  if (failure.retryAfterMs !== null) {
    const requestedMs = Math.min(failure.retryAfterMs, maxWaitMs);
    return Math.max(minMs, between(random, requestedMs, requestedMs * 1.25));
  }
  if (failure.refusal !== null && slow.has(failure.refusal))
    return between(random, slowMs.min, slowMs.max);
  const limit = failure.unanswered ? firstMs : Math.min(maxMs, firstMs * 2 ** Math.min(round, 10));
  return between(random, minMs, limit);
};
