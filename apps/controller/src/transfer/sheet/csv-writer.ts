import { escapeFormula } from "@weft/contract/kernel/sheet.ts";
import { stringify } from "csv-stringify/sync";
import type { Cell } from "./xlsx-writer.ts";

/** So that spreadsheets read the file as UTF-8. */
const byteOrderMark = "\ufeff";

const lines = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    // Numbers stay numbers.
    rows.map((row) => row.map((cell) => (typeof cell === "string" ? escapeFormula(cell) : cell))),
    { record_delimiter: "windows" },
  );

/** The bytes of a csv file (RFC 4180) with these titles as its first line. */
export async function* csvFile(
  titles: readonly string[],
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark + lines([titles]));
  for await (const rows of batches) yield Buffer.from(lines(rows));
}
