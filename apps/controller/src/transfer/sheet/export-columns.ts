import { formatMessage, type Language, type Message } from "@weft/contract/kernel/message.ts";
import { findMessage } from "@weft/contract/messages.ts";
import type { Cell } from "./xlsx-writer.ts";

/** How a column of an export differs from what its field's name and value say. */
export interface ExportColumn<Row> {
  /** Head of the column; else the text of the field. */
  readonly title?: Message;
  /** List of codes (`enum.<list>.<code>`), where it is not called like the field. */
  readonly list?: string;
  /** What the cell says, where a field alone does not say it. */
  readonly cell?: (row: Row, language: Language) => Cell;
}

/** Whom a file is made for. */
export interface Reader {
  readonly language: Language;
  /** IANA name. */
  readonly zone: string;
}

type Loose = Readonly<Record<string, unknown>>;

export interface SheetColumns<Row> {
  readonly titles: readonly string[];
  cells(row: Row): Cell[];
}

/**
 * The columns of an export: one a field of the row, in the order of its declaration.
 * @param fields name of the field -> whether its values are moments
 */
export function exportColumns<Row extends object>(
  fields: ReadonlyMap<string, boolean>,
  own: Readonly<Partial<Record<string, ExportColumn<Row>>>>,
  { language, zone }: Reader,
): SheetColumns<Row> {
  // Swedish writes moments as yyyy-MM-dd HH:mm:ss.
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  const labelOf = (list: string, value: string | number): string | null => {
    const text = findMessage(`enum.${list}.${value}`);
    return text ? formatMessage(text, language) : null;
  };
  const plain = (list: string, value: unknown): Cell => {
    if (value === null || value === undefined) return null;
    if (value instanceof Date) return format.format(value);
    if (typeof value === "boolean") {
      const code = value ? 1 : 0;
      return labelOf(list, code) ?? labelOf("flag", code);
    }
    if (typeof value === "number" || typeof value === "string")
      return labelOf(list, value) ?? value;
    if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
      return value.map((item) => plain(list, item)).join(", ");
    }
    return JSON.stringify(value);
  };
  const titleOf = ([name, isMoment]: readonly [string, boolean]): string => {
    const text = own[name]?.title ?? findMessage(`field.${name}`);
    const title = text ? formatMessage(text, language) : name;
    return isMoment ? `${title} (${zone})` : title;
  };
  return {
    titles: [...fields].map(titleOf),
    cells: (row) =>
      [...fields.keys()].map((name) => {
        const column = own[name];
        if (column?.cell) return column.cell(row, language);
        return plain(column?.list ?? name, (row as Loose)[name]);
      }),
  };
}
