import { setTimeout as pause } from "node:timers/promises";

/**
 * Answers after the same time whatever the work found: done or refused, the answer comes no sooner
 * than this many ms after the start. For calls that strangers can ask about accounts.
 */
export async function evenly<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const over = pause(ms);
  try {
    return await work();
  } finally {
    await over;
  }
}
