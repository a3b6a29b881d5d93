/**
 * Notifies other processes that rows were committed: workers of change rows, screens of transitions.
 * Only a hint: every listener polls every two seconds as well. It is sent outside the write's transaction and at most ten times per second and process,
 * because NOTIFY inside the commit costs two thirds of the write rate (design section 2).
 */
export interface Hint {
  /** Returns immediately; many calls become one NOTIFY. */
  send(): void;
  /** Sends what is due and waits for it. */
  close(): Promise<void>;
}

export const changeChannel = "weft_change";
export const transitionChannel = "weft_transition";
const spacingMs = 100;

/**
 * @param notify sends one NOTIFY; its failures are reported and otherwise
 * ignored, as the poll covers them.
 */
export function createHint(notify: () => Promise<unknown>, report: (error: unknown) => void): Hint {
  let due = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  const fire = (): void => {
    if (!due) return;
    due = false;
    const notified = async (): Promise<unknown> => notify();
    sending = notified().then(
      () => undefined,
      (error: unknown) => report(error),
    );
    timer = setTimeout(() => {
      timer = undefined;
      fire();
    }, spacingMs);
    timer.unref();
  };
  return {
    send() {
      due = true;
      if (!timer) fire();
    },
    async close() {
      clearTimeout(timer);
      timer = undefined;
      fire();
      clearTimeout(timer);
      await sending;
    },
  };
}
