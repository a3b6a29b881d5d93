import { useSyncExternalStore } from "react";

/** Section 9: below this width (px) the menu is an overlay and tables become cards. */
const narrow = 768;
/** Below this one the side menu starts collapsed. */
export const compactWidth = 992;
/** Below this one the head of a page, beside the side menu, has room for what is short only. */
export const tightHead = 1_240;
/** Below this one it has no room for what may be said shorter. */
export const shortHead = 1_400;
/** The layout is worked out at most once in this time, in ms (specification section 9). */
const pauseMs = 300;

/** Without a window: as on a desk. */
const desk = 1_440;
const present = (): number => (typeof window === "undefined" ? desk : window.innerWidth);

let width = present();
let waiting: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** The first event counts immediately, the last one of a burst at the end of the pause. */
const onResize = (): void => {
  if (waiting !== undefined) return;
  workOut();
  waiting = setTimeout(() => {
    waiting = undefined;
    workOut();
  }, pauseMs);
};

const workOut = (): void => {
  const now = present();
  if (now === width) return;
  width = now;
  for (const listener of listeners) listener();
};

const onWidth = (listener: () => void): (() => void) => {
  if (listeners.size === 0) {
    width = present();
    window.addEventListener("resize", onResize);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("resize", onResize);
  };
};

/** True while the window is narrower than `limit` px. */
export const useNarrow = (limit: number = narrow): boolean =>
  useSyncExternalStore(
    onWidth,
    () => width < limit,
    () => desk < limit,
  );
