import type { Needed } from "@weft/contract/permissions.ts";
import type { ColumnsType } from "antd/es/table";
import { textWidth } from "#ui/text-width.ts";
import { type Column, headWidth, padding } from "./columns.tsx";
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

/** px: what fits into them is read at a glance (a state, a kind, a code), and not cut. */
const shortWidth = 112;

/** px: a content that gets a little longer moves no column. */
const step = 16;

/** What all columns can give, each by its share, until nothing is missing. */
function narrow(widths: readonly number[], spare: readonly number[], missing: number): number[] {
  const total = spare.reduce((sum, one) => sum + one, 0);
  const part = total === 0 ? 0 : Math.min(1, missing / total);
  return widths.map((width, at) => width - Math.ceil((spare[at] ?? 0) * part));
}

/**
 * The columns with less room where they do not fit into `room` px, so that none hides behind the actions: first what their
 * rows do not need, then, where all of them fit by that, what columns that cut their text have beyond the least. A title
 * and a short text are never cut.
 */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  room: number,
): readonly Column<Row>[] {
  const missing = totalWidth(columns) - room;
  if (missing <= 0) return columns;
  const widths = columns.map(widthOf);
  const needed = columns.map(({ title, sort, need }, at) => {
    const width = widths[at] ?? 0;
    if (!need) return width;
    const content = rows.reduce((most, row) => Math.max(most, need(row)), 0);
    const stepped = Math.ceil(content / step) * step + padding;
    return Math.min(width, Math.max(headWidth(title, sort !== undefined), stepped));
  });
  const free = widths.map((width, at) => width - (needed[at] ?? width));
  const fitted = narrow(widths, free, missing);
  const left = fitted.reduce((sum, width) => sum + width, 0) - room;
  const cuts = columns.map(({ narrowest }, at) => {
    const width = needed[at] ?? 0;
    return narrowest === undefined ? 0 : Math.max(0, width - Math.max(narrowest, shortWidth));
  });
  const isEnough = cuts.reduce((sum, one) => sum + one, 0) >= left;
  const last = left > 0 && isEnough ? narrow(fitted, cuts, left) : fitted;
  return columns.map((column, at) => ({ ...column, width: last[at] ?? widthOf(column) }));
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
  { columns, rows, room, sort, sortable }: Wanted<Row>,
  taken: number,
): ColumnsType<Row> => {
  const fitted = room === undefined ? columns : fitColumns(columns, rows, room - taken);
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
