import { type Notices, noticeEvery } from "./notice.ts";

/**
 * Fetches the notices immediately and every half hour afterwards (section 7.1). A failure is not shown
 * and changes nothing: the next fetch may succeed.
 * @param ask makes the call; its signal aborts when the watch stops.
 * @returns stops it; nothing is shown afterwards.
 */
export const watchNotices = (
  load: (signal: AbortSignal) => Promise<Notices>,
  show: (notices: Notices) => void,
): (() => void) => {
  const leaving = new AbortController();
  const { signal } = leaving;
  const fetchThem = async (): Promise<void> => {
    const notices = await load(signal).catch(() => null);
    if (notices && !signal.aborted) show(notices);
  };
  void fetchThem();
  const timer = setInterval(() => void fetchThem(), noticeEvery);
  return () => {
    leaving.abort();
    clearInterval(timer);
  };
};
