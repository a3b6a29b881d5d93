/** When something was up, down or out of sight. Pure. */
import type { Stretch } from "@weft/contract/domains/monitoring/site-overview.ts";

/** A change of state. */
export interface Transition {
  readonly at: Date;
  readonly up: boolean;
}

export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** The state from a moment on; null: before the first change that is known. */
const stateAt = (transitions: readonly Transition[], at: number): boolean | null =>
  transitions.findLast((transition) => transition.at.getTime() <= at)?.up ?? null;

const nameOf = (up: boolean | null): Stretch["state"] =>
  up === null ? "unknown" : up ? "up" : "down";

/**
 * The states of a span in their order, neighbours of one state joined. A time is known from the first turn on; what a
 * device reports (lines, links) only while it was in contact.
 * @param transitions in the order of time; the last one before the span says how it starts
 * @param device transitions of the contact with the device that reports; null: it is the contact itself
 */
export function stretchesOf(
  transitions: readonly Transition[],
  device: readonly Transition[] | null,
  { from, to }: Span,
): Stretch[] {
  const [start, end] = [from.getTime(), to.getTime()];
  if (end <= start) return [];
  const moments = [...transitions, ...(device ?? [])]
    .map(({ at }) => at.getTime())
    .filter((at) => at > start && at < end);
  const starts = [...new Set([start, ...moments])].sort((a, b) => a - b);
  const stretches: { from: Date; to: Date; state: Stretch["state"] }[] = [];
  for (const [index, at] of starts.entries()) {
    const isSeen = device === null || stateAt(device, at) === true;
    const state = nameOf(isSeen ? stateAt(transitions, at) : null);
    const until = new Date(starts[index + 1] ?? end);
    const last = stretches.at(-1);
    if (last?.state === state) last.to = until;
    else stretches.push({ from: new Date(at), to: until, state });
  }
  return stretches;
}
