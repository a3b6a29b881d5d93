import { useEffect, useRef } from "react";
import { useAutoRefresh } from "#client/use-auto-refresh.ts";
import { type PickedRange, useRange } from "#parts/range/use-range.ts";
import { chartEveryMs } from "#parts/range/use-window.ts";

const stay = (): void => undefined;

/** The range of a report; a preset moves on every 30 s while the screen refreshes by itself. */
export const useMovingRange = (): PickedRange => {
  const picked = useRange("24h");
  const isAuto = useAutoRefresh();
  const renew = useRef(stay);
  renew.current = picked.renewOr(stay);
  useEffect(() => {
    if (!isAuto) return;
    const timer = setInterval(() => {
      if (!document.hidden) renew.current();
    }, chartEveryMs);
    return () => clearInterval(timer);
  }, [isAuto]);
  return picked;
};
