import type { Needed } from "@weft/contract/permissions.ts";
import type { ColumnsType } from "antd/es/table";
import { textWidth } from "#ui/text-width.ts";
import type { Column } from "./columns.tsx";
import type { Sort } from "./list-url.ts";
import { type RowAction, RowActions } from "./row-actions.tsx";

/** Width of the last column: labels with 16 px between them, and the cell's padding. */
const actionsWidth = (labels: readonly string[]): number =>
  labels.reduce((sum, label) => sum + 16 + textWidth(label), 16);

const defaultWidth = 140;
const widthOf = ({ width }: { readonly width?: unknown }): number =>
  typeof width === "number" ? width : defaultWidth;

/** px of all columns together. */
export const totalWidth = (columns: readonly { readonly width?: unknown }[]): number =>
  columns.reduce((sum, column) => sum + widthOf(column), 0);

/**
 * The columns with less room for those that cut their text, where all of them then fit into `room` px and none hides behind
 * the actions. Unchanged where they fit as they are, or not even then.
 */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  room: number,
): readonly Column<Row>[] {
  const missing = totalWidth(columns) - room;
  const spareOf = (column: Column<Row>): number =>
    column.narrowest === undefined ? 0 : widthOf(column) - column.narrowest;
  const spare = columns.reduce((sum, column) => sum + spareOf(column), 0);
  if (missing <= 0 || spare < missing) return columns;
  return columns.map((column) => ({
    ...column,
    width: widthOf(column) - Math.ceil((missing * spareOf(column)) / spare),
  }));
}

interface Wanted<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly actions?: ((row: Row) => readonly RowAction[]) | undefined;
  readonly actionsTitle: string;
  may(code: Needed | null): boolean;
  /** px of the table; undefined: not known, and no column is narrowed. */
  readonly room?: number | undefined;
  readonly sort: Sort | null;
  /** undefined: nothing here is sorted by the server. */
  readonly sortable?: readonly string[] | undefined;
}

/** Our columns as the table part of the library wants them. */
export const tableColumns = <Row extends object>(wanted: Wanted<Row>): ColumnsType<Row> => {
  const { rows, actions, may } = wanted;
  const allowed = rows.map((row) =>
    (actions?.(row) ?? []).filter((action) => may(action.may ?? null)),
  );
  // Who may do nothing with any of these rows needs no place for it.
  const isActive =
    actions !== undefined && (rows.length === 0 || allowed.some((ofRow) => ofRow.length > 0));
  const last = isActive
    ? allowed.reduce(
        (width, ofRow) => Math.max(width, actionsWidth(ofRow.map((action) => action.label))),
        actionsWidth([wanted.actionsTitle]),
      )
    : 0;
  const made = dataColumns(wanted, last);
  if (!isActive) return made;
  return [
    ...made,
    {
      key: "actions",
      title: wanted.actionsTitle,
      width: last,
      fixed: "right",
      render: (_: unknown, row: Row) => <RowActions actions={actions(row)} />,
    },
  ];
};

/** All but the actions, which take the last `taken` px. */
const dataColumns = <Row extends object>(
  { columns, room, sort, sortable }: Wanted<Row>,
  taken: number,
): ColumnsType<Row> => {
  const fitted = room === undefined ? columns : fitColumns(columns, room - taken);
  return fitted.map((column) => {
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
};
