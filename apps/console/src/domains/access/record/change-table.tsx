import type { ReactNode } from "react";
import { type Column, textColumn } from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { Missing } from "#ui/missing.tsx";
import { textWidth } from "#ui/text-width.ts";
import styles from "./operation-details.module.css";
import { type Change, type RecordTexts, textOf, useRecordTexts } from "./record-texts.ts";

const isList = (change: Change): boolean => Array.isArray(change.old) || Array.isArray(change.new);

/** One value; of a list what went or came, with its sign. */
const valueCell = (text: string, sign: string): ReactNode =>
  text === "" ? <Missing /> : <span className={styles.value}>{`${sign}${text}`}</span>;

/** px: a value that is longer has more lines. */
const narrowest = 160;

/** px of a value in one line, with the sign of a list. */
const valueNeed = (text: string): number => textWidth(`+ ${text}`);

/** What the values of a change are called: those of the past, or those of an undo that is to come. */
export interface ChangeHeads {
  readonly old: string;
  readonly new: string;
}

const past = (t: RecordTexts): ChangeHeads => ({ old: t("record.old"), new: t("record.new") });

/** Its columns; in a dialog all of them have room. */
export const changeColumns = (t: RecordTexts, heads = past(t)): Column<Change>[] => [
  textColumn("field", t("record.field"), (row: Change) => textOf(row.name, t), { width: 176 }),
  {
    key: "old",
    title: heads.old,
    width: 320,
    narrowest,
    need: (row) => valueNeed(textOf(row.oldText, t)),
    cell: (row) => valueCell(textOf(row.oldText, t), isList(row) ? "− " : ""),
  },
  {
    key: "new",
    title: heads.new,
    width: 320,
    narrowest,
    need: (row) => valueNeed(textOf(row.newText, t)),
    cell: (row) => valueCell(textOf(row.newText, t), isList(row) ? "+ " : ""),
  },
];

interface Props {
  readonly changes: readonly Change[];
  readonly heads?: ChangeHeads;
}

/** What an operation changed, field by field. */
export function ChangeTable({ changes, heads }: Props) {
  const t = useRecordTexts();
  return (
    <PlainTable
      rows={changes}
      columns={changeColumns(t, heads)}
      rowKey="field"
      empty={<p className="w-quiet">{t("record.noChange")}</p>}
    />
  );
}
