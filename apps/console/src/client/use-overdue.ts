import { useEffect, useState } from "react";

/** So many refreshes may be missed before what is shown counts as old. */
const missed = 2;

/**
 * Whether what arrived at a time should have been followed by something newer: a controller that hangs gives no
 * error, only nothing.
 * @param arrived ms since 1970; 0: nothing yet. @param every ms between two refreshes; undefined: there are none
 */
export function useOverdue(arrived: number, every: number | undefined): boolean {
  const [overdue, setOverdue] = useState(0);
  useEffect(() => {
    if (every === undefined || arrived === 0) return undefined;
    const left = arrived + missed * every - Date.now();
    const timer = setTimeout(() => setOverdue(arrived), Math.max(0, left));
    return () => clearTimeout(timer);
  }, [arrived, every]);
  return every !== undefined && arrived > 0 && overdue === arrived;
}
