import Button from "antd/es/button";
import Table, { type TableProps, type TableRef } from "antd/es/table";
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { CallError } from "#client/call.ts";
import { useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { EmptyState, Failed, Loading } from "#feedback/empty-state.tsx";
import styles from "#feedback/moved-pill.module.css";
import { SavedOnly } from "#feedback/saved-only.tsx";
import { StateText } from "#ui/glyph.tsx";
import { useNarrow } from "#ui/use-narrow.ts";
import type { Column } from "./columns.tsx";
import type { RefusedFilter, Sort } from "./list-url.ts";
import { Pager } from "./pager.tsx";
import type { RowAction } from "./row-actions.tsx";
import { cardHeight, RowCards } from "./row-cards.tsx";
import { tableColumns, totalWidth } from "./table-columns.tsx";
import type { List } from "./use-list.ts";
import type { Selection } from "./use-selection.ts";

/**
 * Over the rows of a list whose order changed while it was looked at: they stay where they are until
 * the user asks to sort them. Not announced: it is no result.
 */
function MovedPill({ onSettle }: { readonly onSettle: () => void }) {
  const t = useTexts();
  return (
    <div className={styles.moved}>
      <button type="button" onClick={onSettle}>
        {t("list.moved")} · <span>{t("list.settle")}</span>
      </button>
    </div>
  );
}

/** From this many rows on only those in sight are rendered. */
const virtualFrom = 100;
const checkboxWidth = 40;
/** px of the column that opens a row. */
const expandWidth = 40;
/** Below this width (px) of the window rows have one action and a menu, where not all columns have room. */
const roomy = 1_280;

interface Common<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rowKey: keyof Row & string;
  readonly actions?: ((row: Row) => readonly RowAction[]) | undefined;
  /** Where rows would be, when there never were any. */
  readonly empty?: ReactNode;
  readonly expanded?: ((row: Row) => ReactNode) | undefined;
  /** Rows of 32 px instead of 40. */
  readonly isDense?: boolean | undefined;
}

interface RowsProps<Row> extends Common<Row> {
  readonly rows: readonly Row[];
  readonly selection?: Selection<Row> | undefined;
  readonly sort?: Sort | null;
  readonly sortable?: readonly string[];
  readonly onSort?: (sort: Sort | null) => void;
  readonly isOld?: boolean;
  /** It is what its page is about, and as wide as that. */
  readonly isWhole?: boolean;
  /** Others are on their way. */
  readonly isBusy?: boolean;
}

const sortFrom = (sorter: unknown): Sort | null => {
  const { columnKey, order } = sorter as { columnKey?: unknown; order?: string | null };
  if (typeof columnKey !== "string" || !order) return null;
  return { by: columnKey, order: order === "ascend" ? "asc" : "desc" };
};

const selectionOf = <Row extends object>(
  selection: Selection<Row>,
): NonNullable<TableProps<Row>["rowSelection"]> => ({
  selectedRowKeys: [...selection.ids],
  preserveSelectedRowKeys: true,
  columnWidth: checkboxWidth,
  columnTitle: (checkbox) => <HeadCheckbox>{checkbox}</HeadCheckbox>,
  fixed: true,
  onChange: (keys, rows) => selection.set(keys as number[], rows.filter(Boolean)),
});

/** Only what is hidden already: the library repeats titles in a row that it measures widths with. */
const setInert = (box: HTMLElement | null): void => {
  if (box?.closest('[aria-hidden="true"]')) box.inert = true;
};

/** The checkbox that selects all rows; the one in the measuring row takes no focus. */
function HeadCheckbox({ children }: { readonly children: ReactNode }) {
  return <span ref={setInert}>{children}</span>;
}

/** px: both edges of the card that a list is in. */
const edges = 2;

/** px that the list of a page will have; undefined: not known. */
const roomOfPage = (): number | undefined => {
  const page = typeof document === "undefined" ? null : document.querySelector(".w-page");
  if (!page) return undefined;
  const { paddingLeft, paddingRight } = getComputedStyle(page);
  const room = page.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  return room > edges ? room - edges : undefined;
};

/**
 * px of the table on the screen, and the ref that measures it; undefined: not measured yet. The page is there before its list:
 * a table that had to be measured first would be rendered twice.
 */
function useRoom(isTable: boolean, isWhole: boolean) {
  const table = useRef<TableRef>(null);
  const [room, setRoom] = useState(() => (isWhole ? roomOfPage() : undefined));
  useLayoutEffect(() => {
    const element = isTable ? table.current?.nativeElement : undefined;
    if (!element) return;
    const measure = (): void => setRoom(element.clientWidth);
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, [isTable]);
  return { table, room };
}

/** Which columns had no room the last time, while the table is as wide as then and its columns are the same. */
function useLeftOut(of: string) {
  const last = useRef<{ of: string; current: ReadonlySet<string> }>({ of, current: new Set() });
  if (last.current.of !== of) last.current = { of, current: new Set() };
  return last.current;
}

/** What a row opens to: the columns that have no room, and what it always opens to; undefined: to nothing. */
function openedRow<Row>(
  leftOut: readonly Column<Row>[],
  expanded: ((row: Row) => ReactNode) | undefined,
): ((row: Row) => ReactNode) | undefined {
  if (leftOut.length === 0) return expanded;
  return (row) => (
    <>
      <dl className="w-left-out">
        {leftOut.map(({ key, title, cell }) => (
          <div key={key}>
            <dt>{title}</dt>
            <dd>{cell(row)}</dd>
          </div>
        ))}
      </dl>
      {expanded?.(row)}
    </>
  );
}

/** The rows alone, as a table or, on a narrow screen, as cards. */
function Rows<Row extends object>(props: RowsProps<Row>) {
  const { rows, columns, rowKey, actions, selection, expanded, onSort } = props;
  const t = useTexts();
  const isNarrow = useNarrow();
  const may = useMay();
  const isTable = !isNarrow;
  const isTight = useNarrow(roomy);
  const { table, room } = useRoom(isTable, props.isWhole ?? false);
  const isVirtual = rows.length >= virtualFrom;
  const beside = selection ? checkboxWidth : 0;
  const out = useLeftOut(`${room} ${columns.map(({ key }) => key).join()}`);
  const { columns: made, leftOut } = useMemo(
    () =>
      tableColumns({
        columns,
        rows,
        actions,
        actionsTitle: t("list.actions"),
        may,
        // A long list has a scroll bar of its own inside.
        room: room === undefined || isVirtual ? undefined : room - beside,
        opens: { width: expandWidth, isThere: expanded !== undefined },
        out: out.current,
        folded: isTight ? t("act.more") : undefined,
        sort: props.sort ?? null,
        sortable: props.sortable,
      }),
    [
      columns,
      rows,
      actions,
      may,
      t,
      room,
      isVirtual,
      beside,
      expanded,
      out,
      isTight,
      props.sort,
      props.sortable,
    ],
  );
  out.current = new Set(leftOut.map(({ key }) => key));
  const opened = openedRow(leftOut, expanded);
  if (!isTable) {
    const toggle = (row: Row): void => {
      const id = row[rowKey] as number;
      const ids = selection?.ids ?? [];
      selection?.set(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id], [row]);
    };
    const selected = selection && { ids: selection.ids, toggle };
    return (
      <RowCards
        rows={rows}
        columns={columns}
        rowKey={rowKey}
        actions={actions}
        selected={selected}
        expanded={expanded}
      />
    );
  }
  return (
    <Table<Row>
      ref={table}
      className={`w-table${props.isDense ? " w-dense" : ""}${props.isOld ? " w-old" : ""}`}
      rowKey={rowKey}
      aria-busy={props.isBusy ?? false}
      // What opens a row stands behind what selects it.
      columns={
        opened
          ? [...(selection ? [Table.SELECTION_COLUMN] : []), Table.EXPAND_COLUMN, ...made]
          : made
      }
      dataSource={rows as Row[]}
      pagination={false}
      tableLayout="fixed"
      virtual={isVirtual}
      scroll={{
        x: totalWidth(made) + beside + (opened ? expandWidth : 0),
        ...(isVirtual && { y: 640 }),
      }}
      {...(!isVirtual && { sticky: true })}
      {...(selection && { rowSelection: selectionOf(selection) })}
      {...(opened && {
        expandable: { expandedRowRender: opened, columnWidth: expandWidth },
      })}
      onRow={() => ({ tabIndex: -1 })}
      onChange={(_pages, _filters, sorter) => onSort?.(sortFrom(sorter))}
    />
  );
}

/** What is shown without rows; plain text gets the default layout. */
function Empty({ children }: { readonly children: ReactNode }) {
  if (typeof children === "object" && children !== null) return children;
  return <EmptyState kind="good" text={children ?? "—"} />;
}

interface ResourceTableProps<Row, Query> extends Common<Row> {
  readonly list: List<Row, Query>;
  readonly selection?: Selection<Row> | undefined;
}

/** One page of a list with its pager; says itself why it is empty, slow or broken. */
export function ResourceTable<Row extends object, Query>(props: ResourceTableProps<Row, Query>) {
  return (
    <>
      <SavedOnly about={props.list.resource?.name} />
      <ListRows {...props} />
    </>
  );
}

function ListRows<Row extends object, Query>(props: ResourceTableProps<Row, Query>) {
  const { list, empty, ...more } = props;
  if (list.refused.length > 0)
    return <RefusedFilters refused={list.refused} onClear={list.clearFilters} />;
  if (list.error && list.rows.length === 0)
    return <Failed error={list.error} retry={list.refetch} />;
  // Several tables inside a page are mostly short: what is below them should stay there.
  if (list.isFirstLoad) return <Loading rows={list.isEmbedded ? 3 : Math.min(list.limit, 10)} />;
  if (list.rows.length === 0) {
    if (list.activeFilters === 0) return <Empty>{empty}</Empty>;
    return <EmptyState kind="noMatch" filters={list.activeFilters} onClear={list.clearFilters} />;
  }
  return (
    <>
      {list.isMoved && <MovedPill onSettle={list.settle} />}
      <Rows
        {...more}
        rows={list.rows}
        sort={list.sort}
        sortable={list.sortable}
        onSort={list.setSort}
        isOld={list.isStale}
        isBusy={list.isOfBefore}
        isWhole={!list.isEmbedded}
      />
      <Pager list={list as unknown as List<unknown>} />
    </>
  );
}

interface RefusedProps {
  readonly refused: readonly RefusedFilter[];
  readonly onClear: () => void;
}

/** In place of rows: without these filters there would be more than were asked for. */
function RefusedFilters({ refused, onClear }: RefusedProps) {
  const t = useTexts();
  return (
    <div className="w-empty" role="alert">
      {refused.map(({ name, issue }) => (
        <p key={name}>
          <StateText
            glyph="bad"
            label={t("list.refusedFilter", { name: t.field(name), why: t.issue(issue) })}
          />
        </p>
      ))}
      <Button onClick={onClear}>{t("act.clear")}</Button>
    </div>
  );
}

interface PlainTableProps<Row> extends Common<Row> {
  readonly rows: readonly Row[];
  /** How many rows will come, where that is known: they take their place at once. */
  readonly expected?: number;
  readonly isFirstLoad?: boolean;
  readonly error?: CallError | null;
  readonly retry?: () => void;
}

/** px of a row and of the head of a table. */
const rowHeight = 40;
const denseHeight = 32;

interface ExpectedProps<Row> extends Common<Row> {
  readonly count: number | undefined;
}

/** In place of rows that were never there yet: as high as they will be, where their number is known. */
function ExpectedRows<Row extends object>({ count, ...more }: ExpectedProps<Row>) {
  const { columns, actions, expanded, isDense } = more;
  const isNarrow = useNarrow();
  if (count === undefined) return <Loading rows={3} />;
  const hasState = columns.some(({ part }) => part === "state");
  const height = isNarrow
    ? count * cardHeight(columns.length, hasState, (actions ?? expanded) !== undefined)
    : (count + 1) * (isDense ? denseHeight : rowHeight);
  return <Loading height={height} />;
}

/** A table of all there is. */
export function PlainTable<Row extends object>(props: PlainTableProps<Row>) {
  const { rows, expected, empty, isFirstLoad, error, retry, ...more } = props;
  if (error && rows.length === 0)
    return <Failed error={error} retry={retry ?? (() => undefined)} />;
  if (isFirstLoad) return <ExpectedRows {...more} count={expected} />;
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return <Rows {...more} rows={rows} />;
}
