import { Worker } from "node:worker_threads";
import type { FoundRows, SheetToRead } from "./sheet-reader.ts";

/** ms of processor time that reading may take: by the clock, a busy machine would refuse a small file. */
const maxBusy = 10_000;
/** ms between looks at it. */
const lookEvery = 100;
/** ms of the clock after which a reader hangs. */
const maxTime = 120_000;

interface Limits {
  /** Ms of processor time that it may take. */
  readonly busy?: number;
  /** Aborted when nobody waits for the rows. */
  readonly gone?: AbortSignal;
}

/** Why a file is no table. */
export class UnreadableSheet extends Error {}

/**
 * The cells of a file's first sheet as text, row by row, empty rows left out: xlsx, or csv in
 * UTF-8, GB 18030 or (with its mark) UTF-16, with comma, semicolon or tab between the cells.
 * @param maxRows more are not read: one more is returned, so that the caller sees it.
 * @throws the signal's reason once it is aborted
 * @throws UnreadableSheet for anything else, and for a file that is larger than any import (sheet-reader.ts)
 */
export async function readSheet(
  bytes: Uint8Array<ArrayBuffer>,
  maxRows: number,
  { busy = maxBusy, gone }: Limits = {},
): Promise<{ readonly row: number; readonly cells: readonly string[] }[]> {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
  const rows = await readApart({ bytes, maxRows, isZip }, busy, gone);
  return rows
    .map((cells, index) => ({ row: index + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""))
    .slice(0, maxRows + 1);
}

/**
 * In a thread of its own, all of it: what a hostile file makes a reader do must not block the process, and what unpacks it must
 * not take the threads of the process, which hash passwords as well.
 */
async function readApart(
  given: SheetToRead,
  busy: number,
  gone: AbortSignal | undefined,
): Promise<string[][]> {
  gone?.throwIfAborted();
  const worker = new Worker(new URL("./sheet-reader.ts", import.meta.url), {
    workerData: given,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<string[][]>();
  const fail = (why: string) => reject(new UnreadableSheet(why));
  worker.once("message", (observed: FoundRows) =>
    typeof observed === "string" ? fail(observed) : resolve(observed),
  );
  worker.once("error", (error: Error) => fail(error.message));
  const leave = (): void => reject(gone?.reason);
  gone?.addEventListener("abort", leave, { once: true });
  const hung = setTimeout(() => fail("takes too long"), maxTime);
  const look = async (): Promise<void> => {
    // It may end at any moment.
    const used = await worker.cpuUsage().catch(() => null);
    if (used && (used.user + used.system) / 1_000 > busy) fail("takes too long");
  };
  const looking = setInterval(() => void look(), lookEvery);
  try {
    return await promise;
  } finally {
    clearTimeout(hung);
    clearInterval(looking);
    gone?.removeEventListener("abort", leave);
    await worker.terminate();
  }
}
