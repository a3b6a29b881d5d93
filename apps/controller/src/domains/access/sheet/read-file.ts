/** The rows of a file under the columns of a resource, whichever language and order they have. */

import { maxImported } from "@weft/contract/kernel/sheet.ts";
import type { UploadedFile } from "@weft/contract/kernel/uploaded-file.ts";
import { isTimeZone } from "@weft/contract/rules/time-zone.ts";
import type { SheetField } from "@weft/contract/sheet-fields.ts";
import { refuseField } from "#kernel/refuse.ts";
import { unstorablePath } from "#kernel/storable.ts";
import { readSheet, UnreadableSheet } from "#transfer/sheet/read-sheet.ts";

export interface FileColumn {
  /** The field that it has; null: none. */
  readonly field: SheetField | null;
  /** Zone that the head names; null: none. */
  readonly zone: string | null;
}

export interface FileRow {
  /** Number in the file; the head is row 1. */
  readonly row: number;
  readonly cells: readonly string[];
}

export interface ReadFile {
  readonly head: readonly string[];
  readonly columns: readonly FileColumn[];
  readonly rows: readonly FileRow[];
}

const norm = (text: string): string => text.trim().toLowerCase();
/** `Expires (Asia/Shanghai)`, `Bandwidth (Mbit/s)`. */
const suffixed = /^(.*?)\s*[(（]([^()（）]+)[)）]$/;

/**
 * @param gone aborted when its client has left: it is not read any further
 * @throws Refusal when the file is no table, has no rows or too many, or a column twice
 */
export async function readFile(
  fields: readonly SheetField[],
  file: UploadedFile,
  gone: AbortSignal,
): Promise<ReadFile> {
  const read = await readSheet(file.bytes, maxImported + 1, { gone }).catch((error: unknown) => {
    if (error instanceof UnreadableSheet) return refuseField("file", "unreadable");
    throw error;
  });
  const [head, ...rows] = read;
  if (!head || rows.length === 0) refuseField("file", "required");
  if (rows.length > maxImported) refuseField("file", "tooMany", { max: maxImported });
  if (rows.some(({ cells }) => unstorablePath({ ...cells }) !== null)) {
    refuseField("file", "unreadable");
  }
  const titles = new Map<string, SheetField>();
  // What counts comes last: heads that a person reads, and columns that are read.
  for (const field of fields) titles.set(norm(field.name), field);
  for (const field of fields.toSorted((a, b) => rank(a) - rank(b))) {
    for (const title of field.title) titles.set(norm(title), field);
  }
  const columns = head.cells.map((title) => columnOf(title, titles));
  const twice = columns.find(
    ({ field }, at) => field && columns.findIndex((column) => column.field === field) !== at,
  );
  if (twice?.field) refuseField("file", "unknownColumn", { value: twice.field.title[0] });
  if (columns.every(({ field }) => field?.role !== "value")) refuseField("file", "unreadable");
  return { head: head.cells, columns, rows };
}

const rank = ({ role }: SheetField): number => (role === "shown" ? 0 : 1);

function columnOf(title: string, titles: ReadonlyMap<string, SheetField>): FileColumn {
  const [, name, suffix] = suffixed.exec(title) ?? [];
  const field = titles.get(norm(title)) ?? titles.get(norm(name ?? "")) ?? null;
  const isZoned = field?.isMoment && suffix !== undefined && isTimeZone(suffix);
  return { field, zone: isZoned ? suffix : null };
}
