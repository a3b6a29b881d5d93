import { read, utils } from "@e965/xlsx";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { csvFile } from "./csv-writer.ts";
import { type Cell, xlsxFile } from "./xlsx-writer.ts";

async function* batchesOf(...batches: Cell[][][]): AsyncGenerator<Cell[][]> {
  yield* batches;
}

async function bytesOf(file: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const hostile = ["=1+1", "+86 10", "-2+3", "@SUM(A1)", "\t=1", "=cmd|' /C calc'!A0"];

describe("xlsx", () => {
  test("has one sheet named sheet1 with titles and rows as they were given", async () => {
    const rows: Cell[][] = [
      ["名称 <&>", 42, null],
      ["  blanks  ", -1.5, "_x0041_"],
      ["a\u0000b", 0, "😀"],
    ];
    const book = read(
      await bytesOf(xlsxFile(["Name", "n", "x"], batchesOf(rows.slice(0, 1), [], rows.slice(1)))),
    );
    expect(book.SheetNames).toEqual(["sheet1"]);
    const found = utils.sheet_to_json(book.Sheets.sheet1 ?? {}, { header: 1, defval: null });
    expect(found).toEqual([
      ["Name", "n", "x"],
      ["名称 <&>", 42, null],
      ["  blanks  ", -1.5, "_x0041_"],
      ["ab", 0, "😀"],
    ]);
  });

  test("B-9-18 cells that begin with =, +, - or @ are text cells, not formulas", async () => {
    const book = read(await bytesOf(xlsxFile(["x"], batchesOf(hostile.map((text) => [text])))));
    const sheet = book.Sheets.sheet1 ?? {};
    hostile.forEach((text, index) => {
      expect(sheet[`A${index + 2}`], text).toMatchObject({ t: "s", v: text });
      expect(sheet[`A${index + 2}`]).not.toHaveProperty("f");
    });
  });

  test("a text longer than a cell can be is cut, and half a surrogate pair is no trouble", async () => {
    const book = read(
      await bytesOf(xlsxFile(["x"], batchesOf([["y".repeat(40_000)], ["\ud83d"]]))),
    );
    expect(String(book.Sheets.sheet1?.A2?.v)).toHaveLength(32_767);
    expect(book.Sheets.sheet1?.A3?.v).toBe("\ufffd");
  });

  test("what fails while rows are read fails the file", async () => {
    const failing = (async function* (): AsyncGenerator<Cell[][]> {
      yield [["a"]];
      throw new Error("gone");
    })();
    await expect(bytesOf(xlsxFile(["x"], failing))).rejects.toThrow("gone");
  });
});

describe("csv", () => {
  test("B-9-18 cells that begin like a formula are written as text, numbers as numbers", async () => {
    const text = (
      await bytesOf(csvFile(["x", "n"], batchesOf(hostile.map((one) => [one, -1]))))
    ).toString();
    expect(text.startsWith("\ufeff")).toBe(true);
    const rows: string[][] = parse(text, { bom: true });
    for (const [index, one] of hostile.entries()) {
      expect(rows[index + 1]).toEqual([`'${one}`, "-1"]);
    }
  });

  test("quotes, commas and line ends are read as they were written", async () => {
    const odd = 'a "b", c\r\nd';
    const bytes = await bytesOf(csvFile(["x"], batchesOf([[odd]], [["é"]])));
    expect(parse(bytes, { bom: true })).toEqual([["x"], [odd], ["é"]]);
  });
});
