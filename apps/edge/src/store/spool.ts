/** Messages of metrics that wait for contact: files in order of their making, of a bounded number. */
import type { Disk } from "./disk.ts";

const prefix = "batch.";
const digits = 12;
const nameOf = (number: number): string => `${prefix}${String(number).padStart(digits, "0")}`;

/** Twelve hours of messages, one every 15 s; a message of a site is about 1 kB. */
const spoolLimit = 2_880;

export interface Spool {
  /** Files that wait. */
  readonly size: number;
  /** Keeps a text as the newest. @returns how many of the oldest had to go for it */
  add(text: string): Promise<number>;
  /** The oldest; null when none waits or what is there cannot be read: then it is gone. */
  first(): Promise<string | null>;
  removeFirst(): Promise<void>;
}

/**
 * Takes up what an earlier run left. Files are not synced: metrics of the seconds before a power cut
 * do not justify writes to a flash disk.
 */
export const openSpool = async (disk: Disk, limit = spoolLimit): Promise<Spool> => {
  const waiting = (await disk.list())
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .filter((number) => Number.isSafeInteger(number))
    .sort((a, b) => a - b);
  let next = (waiting.at(-1) ?? 0) + 1;
  const removeFirst = async (): Promise<void> => {
    const number = waiting.shift();
    if (number !== undefined) await disk.remove(nameOf(number));
  };
  return {
    get size() {
      return waiting.length;
    },
    add: async (text) => {
      let dropped = 0;
      for (; waiting.length >= limit; dropped += 1) await removeFirst();
      await disk.write(nameOf(next), Buffer.from(text));
      waiting.push(next);
      next += 1;
      return dropped;
    },
    first: async () => {
      const [number] = waiting;
      if (number === undefined) return null;
      const bytes = await disk.read(nameOf(number));
      if (bytes !== null) return Buffer.from(bytes).toString();
      waiting.shift();
      return null;
    },
    removeFirst,
  };
};
