import { useSyncExternalStore } from "react";

/** Section 9: below this width (px) the menu is an overlay and tables become cards. */
const NARROW = 768;
/** Below this one the side menu starts collapsed. */
export const COMPACT = 992;

const queries = new Map<number, MediaQueryList>();

const queryOf = (width: number): MediaQueryList => {
  const known = queries.get(width);
  if (known) return known;
  const made = matchMedia(`(max-width: ${width - 1}px)`);
  queries.set(width, made);
  return made;
};

/** True while the window is narrower than `width` px. */
export const useNarrow = (width: number = NARROW): boolean =>
  useSyncExternalStore(
    (listener) => {
      const query = queryOf(width);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => queryOf(width).matches,
    // Without a window: as on a desk.
    () => false,
  );
