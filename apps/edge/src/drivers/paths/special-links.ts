/** Real-time traffic prefers links over special lines; all other traffic does not look at lines. Pure. */
import { specialClass, type TrafficClass } from "@weft/contract/device/v1/path-classes.ts";

/** The most that a state gives a link. */
const maxPreference = 1_000;

/**
 * What a class prefers a link by. Links over special lines come before all others, and each kind keeps its order; what was
 * left stays behind what was not (choice.ts), whatever its line.
 */
export const classPreference = (
  name: TrafficClass,
  { id, preference }: { readonly id: number; readonly preference: number },
  special: ReadonlySet<number>,
): number => {
  if (name !== specialClass || special.size === 0) return preference;
  return preference / 2 + (special.has(id) ? maxPreference / 2 : 0);
};
