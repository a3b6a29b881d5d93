/** The thread that reads an xlsx file (read-sheet.ts): answers its rows as text; null: none. */
import { parentPort, workerData } from "node:worker_threads";
import { read, utils } from "@e965/xlsx";

const { bytes, maxRows } = workerData as { bytes: Uint8Array; maxRows: number };

/** More than any file that can be imported has: a row of ours has some forty columns. */
const maxCells = 500_000;

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

function rows(): string[][] | null {
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
    if (!sheet || cellsIn(sheet["!ref"]) > maxCells) return null;
    const found = utils.sheet_to_json<unknown[]>(sheet, {
      header: 1,
      raw: true,
      defval: null,
      blankrows: true,
      UTC: true,
    });
    return found.map((cells) => cells.map(cellText));
  } catch {
    return null;
  }
}

parentPort?.postMessage(rows());
