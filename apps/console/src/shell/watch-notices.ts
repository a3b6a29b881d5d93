import { type Notices, noticeEvery } from "./notice.ts";

/**
 * Fetches the notices immediately and every half hour from then on (section 7.1). A failure says nothing
 * and changes nothing: the next fetch may succeed.
 * @param ask makes the call; its signal ends with the watch.
 * @returns how to stop; nothing is shown after that.
 */
export const watchNotices = (
  ask: (signal: AbortSignal) => Promise<Notices>,
  show: (notices: Notices) => void,
): (() => void) => {
  const leaving = new AbortController();
  const { signal } = leaving;
  const fetchThem = async (): Promise<void> => {
    const notices = await ask(signal).catch(() => null);
    if (notices && !signal.aborted) show(notices);
  };
  void fetchThem();
  const timer = setInterval(() => void fetchThem(), noticeEvery);
  return () => {
    leaving.abort();
    clearInterval(timer);
  };
};
