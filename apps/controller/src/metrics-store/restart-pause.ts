/** How long a child that ended waits for its next start. Pure. */

const firstMs = 2_000;
const maxMs = 60_000;
/** A child that ran for this long was well: its end is a first one. */
const wellMs = 5 * 60_000;

/**
 * A start of the engine costs seconds of a core: where it cannot run (a full disk, a folder that is gone), starts
 * one after the other would take what the rest of the controller needs.
 * @param ends how often it ended since it was last well
 * @param ranMs how long it ran this time
 * @returns the pause in ms, and the number of ends to count on from
 */
export function restartPauseMs(ends: number, ranMs: number): { ms: number; ends: number } {
  const before = ranMs >= wellMs ? 0 : ends;
  return { ms: Math.min(maxMs, firstMs * 2 ** before), ends: before + 1 };
}
