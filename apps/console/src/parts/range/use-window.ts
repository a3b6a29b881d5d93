import { useEffect, useState } from "react";
import { useAutoRefresh } from "#client/use-auto-refresh.ts";

export const windows = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_592_000_000,
};
export type WindowName = keyof typeof windows;

/** Charts refresh every 30 s (specification section 9). */
export const chartEveryMs = 30_000;

export interface Window {
  readonly startTime: Date;
  readonly endTime: Date;
}

/** A range that ends now and, while the screen refreshes by itself, moves on every 30 s; rests while the page is hidden. */
export const useWindow = (name: WindowName): Window => {
  const isAuto = useAutoRefresh();
  const [now, move] = useState(() => Date.now());
  useEffect(() => {
    if (!isAuto) return;
    const timer = setInterval(() => {
      if (!document.hidden) move(Date.now());
    }, chartEveryMs);
    return () => clearInterval(timer);
  }, [isAuto]);
  // Whole seconds: the wire has no finer ones.
  const end = Math.ceil(now / 1_000) * 1_000;
  return { startTime: new Date(end - windows[name]), endTime: new Date(end) };
};
