import { setTimeout as pause } from "node:timers/promises";

/**
 * Answers after the same time whatever the work found: done or refused, the answer comes no sooner
 * than this many ms after the start. For calls that strangers can ask about accounts.
 * @param passed resolves after that time
 */
export async function inConstantTime<T>(
  ms: number,
  work: () => Promise<T>,
  passed: (ms: number) => Promise<unknown> = pause,
): Promise<T> {
  const over = passed(ms);
  try {
    return await work();
  } finally {
    await over;
  }
}
