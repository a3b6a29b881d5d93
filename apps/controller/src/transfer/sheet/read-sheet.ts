import { Worker } from "node:worker_threads";
import { unescapeFormula } from "@weft/contract/kernel/sheet.ts";
import { parse } from "csv-parse/sync";
import { type Entry, fromBufferPromise } from "yauzl";

/** Bytes that an xlsx may have once unpacked: a request of 1 MB could hold a thousand times more. */
const maxUnpacked = 32 * 2 ** 20;
const maxEntries = 200;
/** Cells of a csv file, of which a line of separators is full: more than any import has. */
const maxCells = 500_000;
/** ms that reading an xlsx may take. */
const maxTime = 10_000;

/** Why a file is no table. */
export class UnreadableSheet extends Error {}

/**
 * The cells of a file's first sheet as text, row by row, empty rows left out: xlsx, or csv in
 * UTF-8, GB 18030 or (with its mark) UTF-16, with comma, semicolon or tab between the cells.
 * @param maxRows more are not read: one more is returned, so that the caller sees it.
 * @throws UnreadableSheet for anything else, and for a file that unpacks to more than 32 MB
 */
export async function readSheet(
  bytes: Uint8Array<ArrayBuffer>,
  maxRows: number,
): Promise<{ readonly row: number; readonly cells: readonly string[] }[]> {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
  const rows = isZip ? await readXlsx(bytes, maxRows) : readCsv(bytes, maxRows);
  return rows
    .map((cells, index) => ({ row: index + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""))
    .slice(0, maxRows + 1);
}

/** By the mark that a file in UTF-16 begins with ("Unicode text" of spreadsheets). */
const marked = ([first, second]: Uint8Array): string | null =>
  first === 0xff && second === 0xfe
    ? "utf-16le"
    : first === 0xfe && second === 0xff
      ? "utf-16be"
      : null;

function decoded(bytes: Uint8Array<ArrayBuffer>): string {
  const wide = marked(bytes);
  if (wide) return new TextDecoder(wide).decode(bytes);
  for (const encoding of ["utf-8", "gb18030"]) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      if (!text.includes("\0")) return text;
    } catch {
      // The next encoding.
    }
  }
  throw new UnreadableSheet("neither UTF-8 nor GB 18030");
}

function readCsv(bytes: Uint8Array<ArrayBuffer>, maxRows: number): string[][] {
  const text = decoded(bytes);
  const [head = ""] = text.split(/\r?\n/, 1);
  const delimiter = [",", ";", "\t"].find((sign) => head.includes(sign)) ?? ",";
  if (text.split(delimiter, maxCells + 1).length > maxCells) {
    throw new UnreadableSheet("too many cells");
  }
  try {
    const rows = parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: false,
      to: maxRows + 2,
    }) as string[][];
    return rows.map((cells) => cells.map(unescapeFormula));
  } catch (error) {
    throw new UnreadableSheet((error as Error).message);
  }
}

/** Unpacks every part into nothing, counting: a part may lie about its size. */
async function requireModest(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  let [entries, unpacked] = [0, 0];
  for await (const entry of zip.eachEntry()) {
    entries += 1;
    if (entries > maxEntries) throw new UnreadableSheet("too many parts");
    for await (const chunk of await zip.openReadStreamPromise(entry as Entry)) {
      unpacked += (chunk as Buffer).length;
      if (unpacked > maxUnpacked) throw new UnreadableSheet("unpacks to more than 32 MB");
    }
  }
}

async function readXlsx(bytes: Uint8Array<ArrayBuffer>, maxRows: number): Promise<string[][]> {
  await requireModest(bytes).catch((error: Error) => {
    throw error instanceof UnreadableSheet ? error : new UnreadableSheet(error.message);
  });
  // A thread of its own: what a hostile file makes the reader do must not block the process.
  const worker = new Worker(new URL("./xlsx-reader.ts", import.meta.url), {
    workerData: { bytes, maxRows },
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  const limit = AbortSignal.timeout(maxTime);
  try {
    return await new Promise<string[][]>((resolve, reject) => {
      const fail = (why: string) => reject(new UnreadableSheet(why));
      worker.once("message", (rows: string[][] | null) =>
        rows ? resolve(rows) : fail("not a workbook"),
      );
      worker.once("error", (error: Error) => fail(error.message));
      limit.addEventListener("abort", () => fail("takes too long"));
    });
  } finally {
    await worker.terminate();
  }
}
