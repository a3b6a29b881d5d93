/**
 * Writes one sheet as xlsx (ECMA-376 parts 1 and 2; ZIP as of PKWARE's APPNOTE 6.3.3) row by row:
 * what was written is never kept, so that a hundred thousand rows need no more memory than ten.
 */
import { pipeline } from "node:stream/promises";
import { constants, crc32, createDeflateRaw } from "node:zlib";

/** What a cell holds. Text is always text: `=1+1` stays four characters and is no formula. */
export type Cell = string | number | null;

/** Section 9 of the specification. */
const sheetName = "sheet1";
/** Characters that a cell can hold (ECMA-376, 18.18). */
const maxCharacters = 32_767;

/** Long strings are collected late: short ones are gone before there are many. */
const rowsPerChunk = 50;

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const spreadsheet = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The sheet behind the first one that has what columns offer. */
const choiceSheet = "values";

/** What a column offers to who fills it in. */
export interface ColumnHelp {
  /** Shown beside a cell of the column; at most 255 characters of it. */
  readonly hint: string;
  /** Values to choose from; empty: it is typed. */
  readonly choices: readonly string[];
  /** True: several of them, or others, may be typed as well. */
  readonly isOpen: boolean;
}

const worksheet = `${spreadsheet}.worksheet+xml`;
const sheetRelation = `${office}/worksheet`;

/** The parts beside the sheets; style 1 is the bold of the head. */
const partsOf = (hasChoices: boolean): readonly (readonly [name: string, text: string])[] => [
  [
    "[Content_Types].xml",
    `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${worksheet}"/>${hasChoices ? `<Override PartName="/xl/worksheets/sheet2.xml" ContentType="${worksheet}"/>` : ""}<Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/></Types>`,
  ],
  [
    "_rels/.rels",
    `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    "xl/workbook.xml",
    `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${sheetName}" sheetId="1" r:id="rId1"/>${hasChoices ? `<sheet name="${choiceSheet}" sheetId="2" r:id="rId3"/>` : ""}</sheets></workbook>`,
  ],
  [
    "xl/_rels/workbook.xml.rels",
    `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${sheetRelation}" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/>${hasChoices ? `<Relationship Id="rId3" Type="${sheetRelation}" Target="worksheets/sheet2.xml"/>` : ""}</Relationships>`,
  ],
  [
    "xl/styles.xml",
    `${head}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf xfId="0"/><xf fontId="1" applyFont="1" xfId="0"/></cellXfs></styleSheet>`,
  ],
];

/** Characters that XML 1.0 cannot hold (section 2.2); of the control characters it holds only these three. */
const unwritable = /(?![\t\n\r\u007f-\u009f])\p{Cc}|[\ufffe\uffff]/gu;
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(unwritable, "")
    // Office reads _x0041_ as "A" (ECMA-376, 22.4.2.4).
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, "_x005F_")
    .replace(/[&<>]/g, (sign) => entities[sign] ?? "");

function cellXml(cell: Cell, style: string): string {
  if (cell === null || cell === "") return `<c${style}/>`;
  if (typeof cell === "number" && Number.isFinite(cell)) return `<c${style}><v>${cell}</v></c>`;
  const text = escapeXml(String(cell).slice(0, maxCharacters));
  return `<c${style} t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

const rowXml = (cells: readonly Cell[], style = ""): string =>
  `<row>${cells.map((cell) => cellXml(cell, style)).join("")}</row>`;

async function* sheetXml(
  titles: readonly string[],
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
  help: readonly ColumnHelp[] = [],
): AsyncGenerator<Buffer> {
  const frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  yield Buffer.from(
    `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${frozen}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="${Math.max(1, titles.length)}" width="20" customWidth="1"/></cols><sheetData>${rowXml(titles, ' s="1"')}`,
  );
  for await (const rows of batches) {
    for (let from = 0; from < rows.length; from += rowsPerChunk) {
      const chunk = rows.slice(from, from + rowsPerChunk);
      yield Buffer.from(chunk.map((row) => rowXml(row)).join(""));
    }
  }
  yield Buffer.from(`</sheetData>${validationsXml(titles, help)}</worksheet>`);
}

/** A: 0, Z: 25, AA: 26. */
const columnName = (column: number): string =>
  (column > 25 ? columnName(Math.floor(column / 26) - 1) : "") +
  String.fromCharCode(65 + (column % 26));

/** Rows of a template that offer choices. */
const helpedRows = 5_001;
const quoted = (text: string): string => escapeXml(text).replaceAll('"', "&quot;");

/** Choices and hints (ECMA-376, 18.3.1.32): a title has at most 32 characters, a hint 255. */
function validationsXml(titles: readonly string[], help: readonly ColumnHelp[]): string {
  if (help.length === 0) return "";
  const each = help.map(({ hint, choices, isOpen }, column) => {
    const [name, title] = [columnName(column), titles[column] ?? ""];
    const source = `${choiceSheet}!$${name}$2:$${name}$${choices.length + 1}`;
    const list =
      choices.length > 0
        ? ` type="list" allowBlank="1"${isOpen ? "" : ' showErrorMessage="1"'}`
        : "";
    return (
      `<dataValidation${list} showInputMessage="1" sqref="${name}2:${name}${helpedRows}"` +
      ` promptTitle="${quoted(title.slice(0, 32))}" prompt="${quoted(hint.slice(0, 255))}">` +
      `${choices.length > 0 ? `<formula1>${source}</formula1>` : ""}</dataValidation>`
    );
  });
  return `<dataValidations count="${each.length}">${each.join("")}</dataValidations>`;
}

/** The sheet of choices: under the head of each column what it takes. */
async function* choiceBatches(help: readonly ColumnHelp[]): AsyncGenerator<Cell[][]> {
  const maxChoices = Math.max(...help.map(({ choices }) => choices.length));
  yield Array.from({ length: maxChoices }, (_, row) =>
    help.map(({ choices }) => choices[row] ?? null),
  );
}

interface Entry {
  readonly name: string;
  readonly offset: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
}

/** Deflated; sizes follow the data; names are UTF-8. */
const zipFlags = 0x0808;
const deflateMethod = 8;
const zipVersion = 20;
/** 1 January 1980, the first day that ZIP knows: a file's bytes follow from its rows alone. */
const day = 0x21;

function localHeader(name: string): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(zipVersion, 4);
  header.writeUInt16LE(zipFlags, 6);
  header.writeUInt16LE(deflateMethod, 8);
  header.writeUInt16LE(day, 12);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

function dataDescriptor({ crc, packed, size }: Entry): Buffer {
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc, 4);
  descriptor.writeUInt32LE(packed, 8);
  descriptor.writeUInt32LE(size, 12);
  return descriptor;
}

function directoryEntry({ name, offset, crc, packed, size }: Entry): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(zipVersion, 4);
  entry.writeUInt16LE(zipVersion, 6);
  entry.writeUInt16LE(zipFlags, 8);
  entry.writeUInt16LE(deflateMethod, 10);
  entry.writeUInt16LE(day, 14);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(packed, 20);
  entry.writeUInt32LE(size, 24);
  entry.writeUInt16LE(Buffer.byteLength(name), 28);
  entry.writeUInt32LE(offset, 42);
  return Buffer.concat([entry, Buffer.from(name)]);
}

function directoryEnd(entries: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

async function* deflated(
  chunks: AsyncIterable<Buffer>,
  written: { crc: number; packed: number; size: number },
): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw({ level: constants.Z_BEST_SPEED });
  const counted = async function* () {
    for await (const chunk of chunks) {
      written.crc = crc32(chunk, written.crc);
      written.size += chunk.length;
      yield chunk;
    }
  };
  const fed = pipeline(counted, deflate);
  // Its failure destroys the stream, whose reader below gets the error.
  fed.catch(() => undefined);
  for await (const chunk of deflate as AsyncIterable<Buffer>) {
    written.packed += chunk.length;
    yield chunk;
  }
  await fed;
}

/**
 * The bytes of an xlsx file.
 * @param titles the first row, bold and frozen
 * @param batches rows, some at a time; each row has as many cells as there are titles
 * @param help what the columns offer, one for each title; empty: nothing
 * @throws RangeError beyond 4 GB, which ZIP without its extension cannot hold
 */
export async function* xlsxFile(
  titles: readonly string[],
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
  help: readonly ColumnHelp[] = [],
): AsyncGenerator<Buffer> {
  const once = async function* (text: string) {
    yield Buffer.from(text);
  };
  const sources: (readonly [string, AsyncIterable<Buffer>])[] = [
    ...partsOf(help.length > 0).map(([name, text]) => [name, once(text)] as const),
    ["xl/worksheets/sheet1.xml", sheetXml(titles, batches, help)],
  ];
  if (help.length > 0) {
    sources.push(["xl/worksheets/sheet2.xml", sheetXml(titles, choiceBatches(help))]);
  }
  const entries: Entry[] = [];
  let offset = 0;
  for (const [name, chunks] of sources) {
    const written = { crc: 0, packed: 0, size: 0 };
    const header = localHeader(name);
    yield header;
    yield* deflated(chunks, written);
    const entry: Entry = { name, offset, ...written };
    offset += header.length + written.packed + 16;
    if (Math.max(offset, written.size) > 0xffff_ffff) throw new RangeError("more than 4 GB");
    yield dataDescriptor(entry);
    entries.push(entry);
  }
  const directory = Buffer.concat(entries.map(directoryEntry));
  yield directory;
  yield directoryEnd(entries.length, directory.length, offset);
}
