import { enterpriseLineList } from "@weft/contract/domains/monitoring/enterprise-report.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { paths, useNumberParam } from "#client/paths.ts";
import { useSearch, withParam } from "#client/search.ts";
import { useTexts } from "#client/texts.ts";
import { EmptyState } from "#feedback/empty-state.tsx";
import {
  type Column,
  nameColumn,
  numberColumn,
  stateColumn,
  textColumn,
} from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { RangeBar } from "#parts/range/range-bar.tsx";
import { useRange } from "#parts/range/use-range.ts";
import { Zoomable } from "#parts/range/zoomable.tsx";
import { Card } from "#ui/card.tsx";
import { LineCharts } from "./line-charts.tsx";
import { enterpriseReportMessages } from "./messages.ts";

type LineRow = OutputOf<typeof enterpriseLineList>[number];
const useReportTexts = () => useTexts(enterpriseReportMessages);

const mbits = (kbps: number | null): number | null => (kbps === null ? null : kbps / 1_000);

const columnsOf = (t: ReturnType<typeof useReportTexts>): Column<LineRow>[] => [
  stateColumn(
    "linkStatus",
    t("enterpriseReport.state"),
    (row: LineRow) => ({
      glyph: row.linkStatus ? "ok" : "bad",
      label: t.code("linkStatus", row.linkStatus),
    }),
    { width: 112 },
  ),
  nameColumn("alias", t("enterpriseReport.site"), (row: LineRow) => ({
    text: row.alias,
    to: paths.cpeDetail(row.cpeId),
  })),
  textColumn("name", t("enterpriseReport.line"), (row: LineRow) => row.name, { width: 112 }),
  textColumn("interfaceName", t.field("interfaceName"), (row: LineRow) => row.interfaceName, {
    width: 96,
  }),
  textColumn("isp", t.field("isp"), (row: LineRow) => row.isp || null, { width: 112 }),
  textColumn("lineQuality", t.field("lineQuality"), (row: LineRow) =>
    t.code("lineQuality", row.lineQuality),
  ),
  numberColumn("up", t("enterpriseReport.up"), (row: LineRow) => mbits(row.upBandwidth)),
  numberColumn("down", t("enterpriseReport.down"), (row: LineRow) => mbits(row.downBandwidth)),
];

/** The lines of all sites of an enterprise, and the metrics of one of them. */
export function EnterpriseLines({ groupid }: { readonly groupid: number }) {
  const t = useReportTexts();
  const list = useList(enterpriseLineList, { fixed: { groupid }, inUrl: false });
  const [, changeSearch] = useSearch();
  const picked = useRange("24h");
  const lineId = useNumberParam("lineId");
  const line = list.rows.find(({ id }) => id === lineId) ?? list.rows[0] ?? null;
  const show = (id: number): void =>
    changeSearch(withParam("lineId", String(id)), { preventScrollReset: true });
  return (
    <>
      <Card title={t("enterpriseReport.lines")} flush>
        <ResourceTable
          list={list}
          columns={columnsOf(t)}
          rowKey="id"
          actions={({ id }) => [
            {
              key: "show",
              label: t("enterpriseReport.show"),
              run: () => show(id),
            },
          ]}
          empty={<EmptyState kind="first" text={t("enterpriseReport.none")} />}
        />
      </Card>
      {line && (
        <>
          <RangeBar picked={picked} />
          <Zoomable picked={picked}>
            <LineCharts
              groupid={groupid}
              lineId={line.id}
              title={t("enterpriseReport.of", { site: line.alias, line: line.name })}
              range={picked.range}
            />
          </Zoomable>
        </>
      )}
    </>
  );
}
