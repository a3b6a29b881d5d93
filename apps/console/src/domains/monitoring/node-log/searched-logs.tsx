import { logFlow } from "@weft/contract/domains/monitoring/flow-log.ts";
import { EmptyState } from "#feedback/empty-state.tsx";
import type { Column } from "#kernel/list/columns.tsx";
import { FilterBar } from "#kernel/list/filter-bar.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { type List, useList } from "#kernel/list/use-list.ts";
import type { Range } from "#parts/range/range.ts";
import { sessionColumns, useNodeLogTexts, visitColumns } from "./log-columns.ts";

interface Props {
  readonly id: number;
  readonly range: Range;
}

/** Web visits of a CPE, by a part of the address. */
export function SearchedVisits({ id, range }: Props) {
  const t = useNodeLogTexts();
  const list = useList(logFlow.urlpage, { fixed: { cpeId: id, ...range } });
  return <Searched list={list} columns={visitColumns(t)} by="url" label={t("nodeLog.url")} />;
}

/** Sessions of a CPE, newest first, by an address at either end. */
export function SearchedSessions({ id, range }: Props) {
  const t = useNodeLogTexts();
  const list = useList(logFlow.sessionpage, { fixed: { cpeId: id, ...range } });
  return (
    <Searched list={list} columns={sessionColumns(t)} by="ip" label={t("nodeLog.anyAddress")} />
  );
}

interface SearchedProps<Row> {
  readonly list: List<Row>;
  readonly columns: readonly Column<Row>[];
  /** Filter of the list, and its name. */
  readonly by: string;
  readonly label: string;
}

function Searched<Row extends { readonly id: unknown }>({
  list,
  columns,
  by,
  label,
}: SearchedProps<Row>) {
  const t = useNodeLogTexts();
  return (
    <section className="w-card w-list">
      <FilterBar
        list={list as unknown as List<unknown>}
        filters={[{ key: by, kind: "text", label }]}
      />
      <ResourceTable
        list={list}
        rowKey="id"
        columns={columns}
        empty={<EmptyState kind="waiting" text={t("nodeLog.noFlows")} />}
      />
    </section>
  );
}
