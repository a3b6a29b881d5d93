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
  const total = spare.reduce((sum, width) => sum + width, 0);
  const part = total === 0 ? 0 : Math.min(1, missing / total);
  return widths.map((width, at) => width - Math.ceil((spare[at] ?? 0) * part));
}

/** px that the rows take of a column in one line; null: the column does not report it. */
function contentWidth<Row>({ need }: Column<Row>, rows: readonly Row[]): number | null {
  if (!need) return null;
  const content = rows.reduce((widest, row) => Math.max(widest, need(row)), 0);
  return Math.ceil(content / step) * step + padding;
}

/**
 * The columns with the room that they need of `room` px. Each has room for its title; a text that its column would cut takes
 * what others leave, up to twice the width. Where they do not fit, so that none hides behind the actions, they give first what
 * their rows do not need, then what a text took beyond its width, then, where all of them fit by that, what columns that cut
 * their text have beyond the least. A title and a short text are never cut.
 */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  room: number,
): readonly Column<Row>[] {
  const heads = columns.map(({ title, sort }) => headWidth(title, sort !== undefined));
  const widths = columns.map((column, at) => Math.max(widthOf(column), heads[at] ?? 0));
  const contents = columns.map((column) => contentWidth(column, rows));
  const wanted = widths.map((width, at) => Math.min(Math.max(width, contents[at] ?? 0), 2 * width));
  const needed = wanted.map((width, at) =>
    Math.min(width, Math.max(heads[at] ?? 0, contents[at] ?? width)),
  );
  const missing = (now: readonly number[]): number =>
    Math.max(0, now.reduce((sum, width) => sum + width, 0) - room);
  const without = narrow(
    wanted,
    wanted.map((width, at) => width - (needed[at] ?? width)),
    missing(wanted),
  );
  const fitted = narrow(
    without,
    wanted.map((width, at) => width - (widths[at] ?? width)),
    missing(without),
  );
  const left = missing(fitted);
  const cuts = columns.map(({ narrowest }, at) => {
    const width = Math.min(widths[at] ?? 0, needed[at] ?? 0);
    return narrowest === undefined ? 0 : Math.max(0, width - Math.max(narrowest, shortWidth));
  });
  const isEnough = cuts.reduce((sum, cut) => sum + cut, 0) >= left;
  const last = isEnough ? narrow(fitted, cuts, left) : fitted;
  return columns.map((column, at) => ({ ...column, width: last[at] ?? widthOf(column) }));
}

/** Columns of a table as far as they have room, and those that have none. */
interface Shares<Row> {
  readonly shown: readonly Column<Row>[];
  /** Where the table opens a row, it shows these. */
  readonly leftOut: readonly Column<Row>[];
}

/** Keys of columns. */
type Keys = ReadonlySet<string>;
const none: Keys = new Set();

/**
 * Columns are in the order of what they are worth: each gets its room beside those before it, and one that has none leaves it
 * to the next ones, which may be narrower. The first one and the name always stay.
 * @param out stay left out: a column that is back with each refresh would move all others
 */
function shareRoom<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  room: number,
  out: Keys,
): Shares<Row> {
  const kept = new Set(columns.filter((column, at) => at === 0 || column.part === "name"));
  const shownWith = (more: Column<Row>) =>
    columns.filter((column) => kept.has(column) || column === more);
  for (const column of columns) {
    if (kept.has(column) || out.has(column.key)) continue;
    if (totalWidth(fitColumns(shownWith(column), rows, room)) <= room) kept.add(column);
  }
  return {
    shown: columns.filter((column) => kept.has(column)),
    leftOut: columns.filter((column) => !kept.has(column)),
  };
}

/** From this many actions on they can be one and a menu. */
const foldedFrom = 3;

interface Wanted<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly actions?: ((row: Row) => readonly RowAction[]) | undefined;
  readonly actionsTitle: string;
  may(code: Needed | null): boolean;
  /** px of the table; undefined: not known, and no column is narrowed. */
  readonly room?: number | undefined;
  /** px of the column that opens a row: columns without room are inside; undefined: nothing opens, the table scrolls. */
  readonly opens?: { readonly width: number; readonly isThere: boolean } | undefined;
  /** Keys of columns that are left out whatever room there is (`shareRoom`). */
  readonly out?: Keys | undefined;
  /** On a screen this narrow actions give way before columns do: the first one stays, the others are a menu of this name. */
  readonly folded?: string | undefined;
  readonly sort: Sort | null;
  /** undefined: nothing here is sorted by the server. */
  readonly sortable?: readonly string[] | undefined;
}

export interface Made<Row> {
  readonly columns: ColumnsType<Row>;
  readonly leftOut: readonly Column<Row>[];
}

interface Plan<Row> extends Shares<Row> {
  /** px of the actions. */
  readonly last: number;
  readonly isFolded: boolean;
}

/** Who has which room: all columns beside all actions, else folded actions, else fewer columns. */
function planOf<Row extends object>(
  wanted: Wanted<Row>,
  widest: number,
  labels: readonly (readonly string[])[],
): Plan<Row> {
  const { columns, rows, room, opens, out = none, folded } = wanted;
  const whole = { shown: columns, leftOut: [], last: widest, isFolded: false };
  if (room === undefined || opens === undefined) return whole;
  const share = (last: number): Shares<Row> => {
    const beside = opens.isThere ? opens.width : 0;
    const all = shareRoom(columns, rows, room - last - beside, out);
    // What opens a row takes room that the columns had.
    return all.leftOut.length === 0 || opens.isThere
      ? all
      : shareRoom(columns, rows, room - last - opens.width, out);
  };
  const first = share(widest);
  if (first.leftOut.length === 0) return { ...whole, ...first };
  const canFold = folded !== undefined && labels.some((ofRow) => ofRow.length >= foldedFrom);
  if (!canFold) return { ...whole, ...first };
  const last = labels.reduce(
    (width, [label, ...more]) =>
      Math.max(width, actionsWidth([label ?? "", ...(more.length > 0 ? [folded] : [])])),
    actionsWidth([wanted.actionsTitle]),
  );
  return { ...share(last), last, isFolded: true };
}

/** Our columns as the table part of the library wants them. */
export const tableColumns = <Row extends object>(wanted: Wanted<Row>): Made<Row> => {
  const { rows, actions, may } = wanted;
  const allowed = rows.map((row) =>
    (actions?.(row) ?? []).filter((action) => may(action.may ?? null)),
  );
  // Who may do nothing with any of these rows needs no place for it.
  const isActive =
    actions !== undefined && (rows.length === 0 || allowed.some((ofRow) => ofRow.length > 0));
  const labels = allowed.map((ofRow) => ofRow.map((action) => action.label));
  const widest = isActive
    ? labels.reduce(
        (width, ofRow) => Math.max(width, actionsWidth(ofRow)),
        actionsWidth([wanted.actionsTitle]),
      )
    : 0;
  const { shown, leftOut, last, isFolded } = planOf(wanted, widest, labels);
  const isOpened = leftOut.length > 0 && wanted.opens !== undefined && !wanted.opens.isThere;
  const taken = last + (isOpened || wanted.opens?.isThere ? (wanted.opens?.width ?? 0) : 0);
  const made = dataColumns({ ...wanted, columns: shown }, taken);
  if (!isActive) return { columns: made, leftOut };
  // Where no name can stay beside them, actions in place would cover it: what a row is called is seen first.
  const isNamed = wanted.columns.some(({ pinned }) => pinned === "left");
  const staysInPlace = !isNamed || made.some(({ fixed }) => fixed === "left");
  const actionsColumn = {
    key: "actions",
    title: wanted.actionsTitle,
    width: last,
    ...(staysInPlace && { fixed: "right" as const }),
    render: (_: unknown, row: Row) => <RowActions actions={actions(row)} isFolded={isFolded} />,
  };
  return { columns: [...made, actionsColumn], leftOut };
};

/**
 * Names that stay in place while the table scrolls would cover the actions where both do not fit: they are narrowed, and
 * where that is not enough they, and the actions, scroll as other columns do.
 */
export function besideActions<Row>(
  columns: readonly Column<Row>[],
  room: number,
): readonly Column<Row>[] {
  const last = columns.findLastIndex(({ pinned }) => pinned === "left");
  const name = columns[last];
  if (name === undefined) return columns;
  const before = totalWidth(columns.slice(0, last));
  const width = widthOf(name);
  if (before + width <= room) return columns;
  const narrowed = Math.max(Math.min(width, name.narrowest ?? width), room - before);
  const fits = before + narrowed <= room;
  return columns.map((column) => {
    if (column.pinned !== "left") return column;
    if (!fits) return { ...column, pinned: undefined };
    return column === name ? { ...column, width: narrowed } : column;
  });
}

/** All but the actions, which take the last `taken` px. */
const dataColumns = <Row extends object>(
  { columns, rows, room, sort, sortable }: Wanted<Row>,
  taken: number,
): ColumnsType<Row> => {
  const left = room === undefined ? undefined : room - taken;
  const fitted =
    left === undefined ? columns : besideActions(fitColumns(columns, rows, left), left);
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
