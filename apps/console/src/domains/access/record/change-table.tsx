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

/** Its columns; in a dialog all of them have room. */
export const changeColumns = (t: RecordTexts): Column<Change>[] => [
  textColumn("field", t("record.field"), (row: Change) => textOf(row.name, t), { width: 176 }),
  {
    key: "old",
    title: t("record.old"),
    width: 320,
    narrowest,
    need: (row) => valueNeed(textOf(row.oldText, t)),
    cell: (row) => valueCell(textOf(row.oldText, t), isList(row) ? "− " : ""),
  },
  {
    key: "new",
    title: t("record.new"),
    width: 320,
    narrowest,
    need: (row) => valueNeed(textOf(row.newText, t)),
    cell: (row) => valueCell(textOf(row.newText, t), isList(row) ? "+ " : ""),
  },
];

/** What an operation changed, field by field. */
export function ChangeTable({ changes }: { readonly changes: readonly Change[] }) {
  const t = useRecordTexts();
  return (
    <PlainTable
      rows={changes}
      columns={changeColumns(t)}
      rowKey="field"
      empty={<p className="w-quiet">{t("record.noChange")}</p>}
    />
  );
}
