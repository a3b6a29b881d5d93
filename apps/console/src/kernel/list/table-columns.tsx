import type { Needed } from "@weft/contract/permissions.ts";
import type { ColumnsType } from "antd/es/table";
import { textWidth } from "#ui/text-width.ts";
import type { Column } from "./columns.tsx";
import type { Sort } from "./list-url.ts";
import { type RowAction, RowActions } from "./row-actions.tsx";

/** Width of the last column: labels with 16 px between them, and the cell's padding. */
const actionsWidth = (labels: readonly string[]): number =>
  labels.reduce((sum, label) => sum + 16 + textWidth(label), 16);

interface Wanted<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly actions?: ((row: Row) => readonly RowAction[]) | undefined;
  readonly actionsTitle: string;
  may(code: Needed | null): boolean;
  readonly sort: Sort | null;
  /** undefined: nothing here is sorted by the server. */
  readonly sortable?: readonly string[] | undefined;
}

/** Our columns as the table part of the library wants them. */
export const tableColumns = <Row extends object>(wanted: Wanted<Row>): ColumnsType<Row> => {
  const { columns, rows, actions, sort, sortable, may } = wanted;
  const made: ColumnsType<Row> = columns.map((column) => {
    const isSortable = column.sort !== undefined && (sortable?.includes(column.sort) ?? false);
    const order = sort?.by === column.sort ? sort?.order : undefined;
    return {
      key: column.sort ?? column.key,
      title: column.title,
      ...(column.width !== undefined && { width: column.width }),
      ...(column.align && { align: column.align }),
      ...(column.pinned && { fixed: column.pinned }),
      ...(isSortable && {
        sorter: true,
        showSorterTooltip: false as const,
        sortOrder: order === undefined ? null : order === "asc" ? "ascend" : "descend",
      }),
      render: (_: unknown, row: Row) => column.cell(row),
    };
  });
  if (!actions) return made;
  const allowed = rows.map((row) => actions(row).filter((action) => may(action.may ?? null)));
  // Who may do nothing with any of these rows needs no place for it.
  if (rows.length > 0 && allowed.every((ofRow) => ofRow.length === 0)) return made;
  const widest = allowed.reduce(
    (most, ofRow) => Math.max(most, actionsWidth(ofRow.map((action) => action.label))),
    actionsWidth([wanted.actionsTitle]),
  );
  return [
    ...made,
    {
      key: "actions",
      title: wanted.actionsTitle,
      width: widest,
      fixed: "right",
      render: (_: unknown, row: Row) => <RowActions actions={actions(row)} />,
    },
  ];
};
