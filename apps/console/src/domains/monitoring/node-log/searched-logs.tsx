import { logFlow } from "@weft/contract/domains/monitoring/flow-log.ts";
import { EmptyState } from "#feedback/empty-state.tsx";
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
  return (
    <section className="w-card w-list">
      <FilterBar
        list={list as unknown as List<unknown>}
        filters={[{ key: "url", kind: "text", label: t("nodeLog.url") }]}
      />
      <ResourceTable
        list={list}
        rowKey="id"
        columns={visitColumns(t)}
        empty={<EmptyState kind="waiting" text={t("nodeLog.noFlows")} />}
      />
    </section>
  );
}

/** Sessions of a CPE, newest first, by an address at either end. */
export function SearchedSessions({ id, range }: Props) {
  const t = useNodeLogTexts();
  const list = useList(logFlow.sessionpage, { fixed: { cpeId: id, ...range } });
  return (
    <section className="w-card w-list">
      <FilterBar
        list={list as unknown as List<unknown>}
        filters={[{ key: "ip", kind: "text", label: t("nodeLog.anyAddress") }]}
      />
      <ResourceTable
        list={list}
        rowKey="id"
        columns={sessionColumns(t)}
        empty={<EmptyState kind="waiting" text={t("nodeLog.noFlows")} />}
      />
    </section>
  );
}
