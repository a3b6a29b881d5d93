import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import type { Needed } from "@weft/contract/permissions.ts";
import Button from "antd/es/button";
import Tooltip from "antd/es/tooltip";
import { type ReactNode, useContext } from "react";
import { useLocation } from "react-router";
import { useOpened } from "#client/opened.ts";
import { useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { AsOf } from "#feedback/as-of.tsx";
import { EmptyState, type NextStep } from "#feedback/empty-state.tsx";
import { ExportButton } from "#feedback/export-button.tsx";
import { type FurtherWay, ListFilesContext } from "#feedback/list-files.ts";
import { useToast } from "#feedback/toast.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { PageHead } from "#ui/page-head.tsx";
import { clockText } from "#ui/time-text.tsx";
import { tightHead, useNarrow } from "#ui/use-narrow.ts";
import type { Column } from "./columns.tsx";
import { ColumnsMenu, type ShownColumns, useShownColumns } from "./columns-menu.tsx";
import { FilterBar, type FilterSpec } from "./filter-bar.tsx";
import { ResourceTable } from "./resource-table.tsx";
import type { RowAction } from "./row-actions.tsx";
import type { List } from "./use-list.ts";
import type { Selection } from "./use-selection.ts";

export interface AddButton {
  readonly label: string;
  readonly may?: Needed | null;
  readonly disabledReason?: string | null | undefined;
  run(): void;
}

interface Props<Row, Query> {
  readonly title: string;
  /** Instead of the number of rows, where each stands for several: "6 groups, 24 alarms"; null: not known yet. */
  readonly total?: string | null;
  readonly list: List<Row, Query>;
  readonly filters?: readonly FilterSpec[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: keyof Row & string;
  readonly actions?: (row: Row) => readonly RowAction[];
  readonly add?: AddButton | undefined;
  /** The export call of a list that is no resource (`exportOf`); resources have their own files. */
  readonly exports?: Endpoint;
  /** Resources whose rows go out to files for all rows of the list at once (feedback/list-files.ts). */
  readonly parts?: readonly AnyResource[];
  /** Ways on that stand in one menu with the files. */
  readonly more?: readonly FurtherWay[];
  /** Left of what every list has: a range of time. */
  readonly tools?: ReactNode;
  /** Left of the filters: other lists of the same screen. */
  readonly tabs?: ReactNode;
  /** Beside the title: states with counts. */
  readonly summary?: ReactNode;
  readonly selection?: Selection<Row>;
  /** What can be done with the selected rows. */
  readonly batch?: (rows: readonly Row[]) => readonly RowAction[];
  /** Instead of it: a menu of its own for the selected rows. */
  readonly batchMenu?: ReactNode;
  /** True: the actions also take all rows that match, on every page (`Selection.isAll`). */
  readonly canTakeAll?: boolean;
  /** Where rows would be while there are none at all. */
  readonly empty?: { readonly text: ReactNode; readonly action?: NextStep };
  readonly expanded?: (row: Row) => ReactNode;
  /**
   * The row that the address names, where the page asks for one that is on another page of the list: null, there is none;
   * undefined, not known (yet), and only the rows of the list count.
   */
  readonly openedRow?: Row | null | undefined;
  /** Drawers and dialogs. */
  readonly children?: ReactNode;
}

/** The anatomy of a list: title with count, filters, rows, pages. */
export function ListPage<Row extends object, Query>(props: Props<Row, Query>) {
  const { title, list, filters = [], rowKey, actions, selection, batch, empty } = props;
  const plain = list as unknown as List<unknown>;
  const Files = useContext(ListFilesContext);
  // A file has what the list has.
  const isRefused = list.refused.length > 0;
  const shown = useShownColumns(useLocation().pathname, props.columns);
  return (
    <>
      <PageHead
        title={title}
        count={props.total === undefined ? list.count : props.total}
        aside={props.summary}
        actions={
          <>
            {props.tools}
            {props.exports && !isRefused && <ExportButton endpoint={props.exports} list={plain} />}
            {!props.exports && !isRefused && Files && (
              <Files list={plain} parts={props.parts} more={props.more} />
            )}
            <ListTools list={plain} shown={shown} />
            {props.add && <Add button={props.add} />}
          </>
        }
      />
      <section className="w-card w-list">
        <FilterBar
          list={plain}
          filters={filters}
          start={props.tabs}
          end={
            props.batchMenu ? (
              <div className="w-batch">{props.batchMenu}</div>
            ) : (
              selection && batch && <BatchStart selection={selection} actions={batch([])} />
            )
          }
        />
        <ResourceTable
          list={list}
          columns={shown.columns}
          rowKey={rowKey}
          actions={actions}
          selection={selection}
          expanded={props.expanded}
          isDense={shown.isDense}
          empty={empty && <EmptyState kind="first" text={empty.text} action={empty.action} />}
        />
        {selection && batch && (
          <BatchBar
            selection={selection}
            actions={batch(selection.rows)}
            total={props.canTakeAll ? list.count : null}
          />
        )}
      </section>
      <OpenedHere {...props}>{props.children}</OpenedHere>
    </>
  );
}

/**
 * Drawers and dialogs that the address names (`?open=edit-12`), for those who may: what a user may not do, and what is not
 * there, is said in their place.
 */
function OpenedHere<Row extends object, Query>(props: Props<Row, Query>) {
  const { list, rowKey, actions, add, children } = props;
  const { opened, close } = useOpened();
  const may = useMay();
  if (opened === null) return children;
  const { what, id } = opened;
  if (id === null) {
    const isForbidden = what === "add" && add !== undefined && !may(add.may ?? null);
    return isForbidden ? <NotOpened is="forbidden" onClose={close} /> : children;
  }
  const isRow = (row: Row): boolean => row[rowKey] === id;
  const row = list.rows.find(isRow) ?? props.openedRow;
  if (row === undefined || row === null) {
    const isKnown = !list.isFirstLoad && !list.isOfBefore && !list.isRefetching && !list.error;
    const isMissing = isKnown && props.openedRow !== undefined ? props.openedRow === null : isKnown;
    // A row that was made a moment ago comes with the next answer.
    return isMissing && actions ? <NotOpened is="missing" onClose={close} /> : children;
  }
  const action = actions?.(row).find(({ key }) => key === what);
  return action && !may(action.may ?? null) ? (
    <NotOpened is="forbidden" onClose={close} />
  ) : (
    children
  );
}

interface NotOpenedProps {
  readonly is: "forbidden" | "missing";
  readonly onClose: () => void;
}

function NotOpened({ is, onClose }: NotOpenedProps) {
  const t = useTexts();
  const [code, title, what] =
    is === "forbidden"
      ? [403, t("page.forbidden"), t("page.forbiddenWhat")]
      : [404, t("list.rowMissing"), t("list.rowMissingWhat")];
  return (
    <Drawer open title={`${code} ${title}`} size={480} onClose={onClose}>
      <div role="alert">
        <EmptyState kind="good" text={what} action={{ label: t("act.close"), run: onClose }} />
      </div>
    </Drawer>
  );
}

function Add({ button }: { readonly button: AddButton }) {
  const { label, may, disabledReason, run } = button;
  const isAllowed = useMay()(may ?? null);
  if (!isAllowed) return null;
  return (
    <Tooltip title={disabledReason}>
      <Button type="primary" disabled={Boolean(disabledReason)} onClick={() => run()}>
        {label}
      </Button>
    </Tooltip>
  );
}

interface ToolsProps<Row> {
  readonly list: List<unknown>;
  readonly shown: ShownColumns<Row>;
}

function ListTools<Row>({ list, shown }: ToolsProps<Row>) {
  const t = useTexts();
  const { asOf, isStale } = list;
  const isPhone = useNarrow();
  // Beside the side menu there is no room for all of it in one line: how the list is looked at shares a menu.
  const isTight = useNarrow(tightHead) && !isPhone;
  const refresh = (
    <Button
      onClick={list.refetch}
      {...(asOf && { title: t("list.asOf", { time: clockText(asOf) }) })}
    >
      {t("act.refresh")}
    </Button>
  );
  if (isTight) {
    return (
      <>
        {isStale && <AsOf at={asOf} isOld />}
        <ColumnsMenu shown={shown} before={refresh} />
      </>
    );
  }
  return (
    <>
      <AsOf at={asOf} isOld={isStale} />
      {refresh}
      <ColumnsMenu shown={shown} />
    </>
  );
}

/** Selected rows that there are: those of the pages, or all that match. */
const countOf = <Row,>(selection: Selection<Row>, total: number | null): number =>
  selection.isAll ? (total ?? 0) : selection.ids.length;

interface StartProps<Row> {
  readonly selection: Selection<Row>;
  readonly actions: readonly RowAction[];
}

/** With none selected one button, which says so; with some the bar below the rows is in its place. */
function BatchStart<Row>({ selection, actions }: StartProps<Row>) {
  const t = useTexts();
  const may = useMay();
  const toast = useToast();
  if (!actions.some((action) => may(action.may ?? null))) return null;
  if (selection.isAll || selection.ids.length > 0) return null;
  return (
    <div className="w-batch">
      <Button onClick={() => toast.hint(t("list.selectSome"))}>{t("list.batch")}</Button>
    </div>
  );
}

interface BatchProps<Row> extends StartProps<Row> {
  /** Rows that match on all pages, where all of them can be taken. */
  readonly total: number | null;
}

/** What can be done with the selected rows: at the foot of the list, where it comes without moving any of them. */
function BatchBar<Row>({ selection, actions, total }: BatchProps<Row>) {
  const t = useTexts();
  const may = useMay();
  const allowed = actions.filter((action) => may(action.may ?? null));
  const count = countOf(selection, total);
  if (allowed.length === 0 || count === 0) return null;
  return (
    <div className="w-batch" data-on>
      <span className="w-quiet">
        {t(selection.isAll ? "list.selectedAll" : "list.selected", { count })}
      </span>
      {allowed.map((action) => (
        <Tooltip key={action.key} title={action.disabledReason}>
          <Button
            size="small"
            danger={action.danger ?? false}
            disabled={Boolean(action.disabledReason)}
            onClick={() => action.run?.()}
          >
            {action.label}
          </Button>
        </Tooltip>
      ))}
      {/* Behind the actions: none of them moves under the pointer that pressed it. */}
      {total !== null && count < total && (
        <Button size="small" type="link" onClick={selection.setAll}>
          {t("list.selectAll", { count: total })}
        </Button>
      )}
      <Button size="small" type="text" onClick={selection.clear}>
        {t("act.clear")}
      </Button>
    </div>
  );
}
