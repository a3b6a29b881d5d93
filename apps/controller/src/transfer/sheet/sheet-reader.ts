/** The thread that reads a file of rows (read-sheet.ts). */
import { constants, getPriority, setPriority } from "node:os";
import type { Readable } from "node:stream";
import { parentPort, workerData } from "node:worker_threads";
import { inflateRawSync } from "node:zlib";
import { read, utils } from "@e965/xlsx";
import { unescapeFormula } from "@weft/contract/kernel/sheet.ts";
import { parse } from "csv-parse/sync";
import { type Entry, fromBufferPromise } from "yauzl";

export interface SheetToRead {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** More are not read. */
  readonly maxRows: number;
  /** True: xlsx; false: csv. */
  readonly isZip: boolean;
}
/** Rows as text, or why the file is no table. */
export type FoundRows = string[][] | string;

/** Added to the nice value of this thread alone, on Linux: calls and devices do not wait for files. */
const nicer = 10;

/** More than any file that can be imported has: a row of ours has some forty columns. */
const maxCells = 500_000;
/** Characters of all cells, likewise: what is read goes back to the thread that serves everybody, and is checked there. */
const maxText = 8 * 2 ** 20;
/** Bytes that an xlsx may have once unpacked: a request of 1 MB could hold a thousand times more. */
const maxUnpacked = 32 * 2 ** 20;
const maxEntries = 200;
/** Compression method of a zip entry (APPNOTE.TXT, 4.4.5). */
const deflated = 8;

/** Unpacks every part into nothing, counting: a part may lie about its size. @returns why it is no table; null: it is modest */
async function excessOf(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  let [entries, unpacked] = [0, 0];
  for await (const each of zip.eachEntry()) {
    const entry = each as Entry;
    entries += 1;
    if (entries > maxEntries) return "too many parts";
    const raw: Readable = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    const packed = Buffer.concat(await raw.toArray());
    const isDeflated = entry.compressionMethod === deflated;
    unpacked += isDeflated ? lengthOf(packed, maxUnpacked - unpacked) : packed.length;
    if (unpacked > maxUnpacked) return "unpacks to more than 32 MB";
  }
  return null;
}

/** Bytes that a part has when it is unpacked; one more than `maxBytes` for any number above. */
function lengthOf(packed: Buffer, maxBytes: number): number {
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes + 1 }).length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return maxBytes + 1;
    throw error;
  }
}

/** Rows of which all cells together are not too long. */
function modest(rows: string[][]): FoundRows {
  let length = 0;
  for (const cells of rows) for (const cell of cells) length += cell.length;
  return length > maxText ? "too much text" : rows;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** Cells as the wire has such values. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  if (!(value instanceof Date)) return String(value);
  const day = [value.getUTCFullYear(), two(value.getUTCMonth() + 1), two(value.getUTCDate())];
  const time = [value.getUTCHours(), value.getUTCMinutes(), value.getUTCSeconds()].map(two);
  return `${day.join("-")} ${time.join(":")}`;
}

/** Cells of a sheet with those that are empty between others: one far to the right makes every row as wide. */
function cellsIn(range: string | undefined): number {
  if (range === undefined) return 0;
  const { s: first, e: last } = utils.decode_range(range);
  return (last.r - first.r + 1) * (last.c - first.c + 1);
}

function readXlsx({ bytes, maxRows }: SheetToRead): FoundRows {
  try {
    const book = read(bytes, {
      dense: true,
      cellDates: true,
      cellFormula: false,
      cellHTML: false,
      cellText: false,
      sheets: 0,
      sheetRows: maxRows + 2,
      UTC: true,
    });
    const sheet = book.Sheets[book.SheetNames[0] ?? ""];
    if (!sheet || cellsIn(sheet["!ref"]) > maxCells) return "not a workbook";
    const rows = utils.sheet_to_json<unknown[]>(sheet, {
      header: 1,
      raw: true,
      defval: null,
      blankrows: true,
      UTC: true,
    });
    return modest(rows.map((cells) => cells.map(cellText)));
  } catch {
    return "not a workbook";
  }
}

/** By the mark that a file in UTF-16 begins with ("Unicode text" of spreadsheets). */
const marked = ([first, second]: Uint8Array): string | null =>
  first === 0xff && second === 0xfe
    ? "utf-16le"
    : first === 0xfe && second === 0xff
      ? "utf-16be"
      : null;

/** Null: in none of the encodings. */
function decoded(bytes: Uint8Array<ArrayBuffer>): string | null {
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
  return null;
}

function readCsv({ bytes, maxRows }: SheetToRead): FoundRows {
  const text = decoded(bytes);
  if (text === null) return "neither UTF-8 nor GB 18030";
  const [head = ""] = text.split(/\r?\n/, 1);
  const delimiter = [",", ";", "\t"].find((sign) => head.includes(sign)) ?? ",";
  if (text.split(delimiter, maxCells + 1).length > maxCells) return "too many cells";
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
    return (error as Error).message;
  }
}

if (parentPort) {
  try {
    if (process.platform === "linux") {
      setPriority(Math.min(getPriority() + nicer, constants.priority.PRIORITY_LOW));
    }
  } catch {
    // It reads at the priority of the process then.
  }
  const given = workerData as SheetToRead;
  const excess = given.isZip
    ? await excessOf(given.bytes).catch(({ message }: Error) => message)
    : null;
  parentPort.postMessage(excess ?? (given.isZip ? readXlsx(given) : readCsv(given)));
}
