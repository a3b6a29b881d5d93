import { stringify } from "csv-stringify/sync";
import type { Cell } from "./xlsx-writer.ts";

/** So that spreadsheets read the file as UTF-8. */
const byteOrderMark = "\ufeff";

const lines = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    // A cell that begins like a formula gets an apostrophe before it; numbers stay numbers.
    { escape_formulas: true, record_delimiter: "windows" },
  );

/** The bytes of a csv file (RFC 4180) with these titles as its first line. */
export async function* csvFile(
  titles: readonly string[],
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark + lines([titles]));
  for await (const rows of batches) yield Buffer.from(lines(rows));
}
