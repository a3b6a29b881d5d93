import { useEffect, useState } from "react";

/** ms after which what can wait is done also in a browser that is never idle. */
const longestMs = 3_000;

/** Calls back once the browser has rendered what there is. @returns takes it back */
const afterRendering = (run: () => void): (() => void) => {
  // Safari has none before 26.
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(run, 1);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: longestMs });
  return () => cancelIdleCallback(handle);
};

/**
 * True once the browser has rendered what there is: for what stands beside a screen (counts, notices) and does not delay
 * its first rows.
 */
export const useRendered = (): boolean => {
  const [isRendered, setRendered] = useState(false);
  useEffect(() => afterRendering(() => setRendered(true)), []);
  return isRendered;
};
