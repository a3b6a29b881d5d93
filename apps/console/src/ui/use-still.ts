import { useSyncExternalStore } from "react";

const wish = (): MediaQueryList => matchMedia("(prefers-reduced-motion: reduce)");

const onWish = (listener: () => void): (() => void) => {
  const query = wish();
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
};

/** True while the person asks for reduced motion (Media Queries Level 5, section 12.1). */
export const useStill = (): boolean =>
  useSyncExternalStore(
    onWish,
    () => wish().matches,
    () => false,
  );
