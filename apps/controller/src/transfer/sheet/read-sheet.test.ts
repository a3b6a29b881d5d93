import { utils, write } from "@e965/xlsx";
import { expect, test } from "vitest";
import { readSheet, UnreadableSheet } from "./read-sheet.ts";

const textBytes = (text: string) => Uint8Array.from(new TextEncoder().encode(text));

/** A workbook with two cells, the second of them at this address. */
function workbook(last: string): Uint8Array<ArrayBuffer> {
  const sheet = { A1: { t: "s", v: "name" }, [last]: { t: "s", v: "far" }, "!ref": `A1:${last}` };
  const book = utils.book_new(sheet as never, "rows");
  return Uint8Array.from(write(book, { type: "buffer", bookType: "xlsx" }) as Uint8Array);
}

test("a sheet with more cells than any import has is refused before its rows are made", async () => {
  // Sixteen thousand columns, of which one is used.
  await expect(readSheet(workbook("XFD50"), 5_000)).rejects.toThrow(UnreadableSheet);
  expect(await readSheet(workbook("C2"), 5_000)).toEqual([
    { row: 1, cells: ["name", "", ""] },
    { row: 2, cells: ["", "", "far"] },
  ]);
});

test("a line of csv with more columns than any import has is refused", async () => {
  const wide = `name\n${"a,".repeat(600_000)}\n`;
  await expect(readSheet(textBytes(wide), 5_000)).rejects.toThrow(UnreadableSheet);
  expect(await readSheet(textBytes("name\none\n"), 5_000)).toHaveLength(2);
});
