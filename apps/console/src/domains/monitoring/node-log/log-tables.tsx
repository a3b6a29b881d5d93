import type { popLog } from "@weft/contract/domains/monitoring/node-log.ts";
import type { ReactNode } from "react";
import { EmptyState } from "#feedback/empty-state.tsx";
import type { Column } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { type List, useList } from "#kernel/list/use-list.ts";
import type { Range } from "#parts/range/range.ts";
import {
  connectionColumns,
  rankedColumns,
  transitionColumns,
  useNodeLogTexts,
  visitColumns,
} from "./log-columns.ts";

interface Props<Call> {
  readonly call: Call;
  readonly id: number;
  readonly range: Range;
}

interface TableProps<Row, Query> {
  readonly list: List<Row, Query>;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: keyof Row & string;
  readonly none: ReactNode;
}

function Table<Row extends object, Query>({ list, columns, rowKey, none }: TableProps<Row, Query>) {
  const empty = <EmptyState kind="waiting" text={none as string} />;
  return (
    <section className="w-card w-list">
      <ResourceTable list={list} columns={columns} rowKey={rowKey} empty={empty} />
    </section>
  );
}

function Transition({ call, id, range }: Props<typeof popLog.log>) {
  const t = useNodeLogTexts();
  const list = useList(call, { fixed: { id, ...range } });
  return <Table list={list} columns={transitionColumns(t)} rowKey="id" none={t("nodeLog.none")} />;
}

function Ranked({ call, id, range }: Props<typeof popLog.appRank>) {
  const t = useNodeLogTexts();
  const list = useList(call, { fixed: { id, ...range } });
  return <Table list={list} columns={rankedColumns(t)} rowKey="name" none={t("nodeLog.noFlows")} />;
}

function Visits({ call, id, range }: Props<typeof popLog.urlVisitLog>) {
  const t = useNodeLogTexts();
  const list = useList(call, { fixed: { id, ...range } });
  return <Table list={list} columns={visitColumns(t)} rowKey="id" none={t("nodeLog.noFlows")} />;
}

function Connections({ call, id, range }: Props<typeof popLog.con>) {
  const t = useNodeLogTexts();
  const list = useList(call, { fixed: { id, ...range } });
  const columns = connectionColumns(t);
  return <Table list={list} columns={columns} rowKey="id" none={t("nodeLog.noFlows")} />;
}

/** Tabs that logs of CPEs and POPs have alike, in their order. */
export const commonTabs = [
  "log",
  "appRank",
  "userRank",
  "appAlarmRank",
  "urlAlarmRank",
  "urlVisitLog",
  "lineLog",
  "con",
] as const;

interface TabProps {
  readonly calls: typeof popLog;
  readonly tab: string;
  readonly id: number;
  readonly range: Range;
}

/** What one of the common tabs shows. */
export function LogTable({ calls, tab, ...of }: TabProps) {
  switch (tab) {
    case "appRank":
    case "userRank":
    case "appAlarmRank":
    case "urlAlarmRank":
      return <Ranked call={calls[tab]} {...of} />;
    case "urlVisitLog":
      return <Visits call={calls.urlVisitLog} {...of} />;
    case "con":
      return <Connections call={calls.con} {...of} />;
    default:
      return <Transition call={tab === "lineLog" ? calls.lineLog : calls.log} {...of} />;
  }
}
