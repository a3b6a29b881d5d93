import {
  enterpriseLineList,
  enterpriseLineReport,
} from "@weft/contract/domains/monitoring/enterprise-report.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { useMemo } from "react";
import { paths, useNumberParam } from "#client/paths.ts";
import { useSearch, withParam } from "#client/search.ts";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { EmptyState, Failed, Loading } from "#feedback/empty-state.tsx";
import {
  type Column,
  nameColumn,
  numberColumn,
  stateColumn,
  textColumn,
} from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useList } from "#kernel/list/use-list.ts";
import styles from "#parts/chart/chart-grid.module.css";
import { LineChart } from "#parts/chart/line-chart.tsx";
import { seriesOf } from "#parts/chart/series.ts";
import { millis, percents, rates } from "#parts/chart/value-texts.ts";
import type { Range } from "#parts/range/range.ts";
import { RangeBar } from "#parts/range/range-bar.tsx";
import { useRange } from "#parts/range/use-range.ts";
import { Zoomable } from "#parts/range/zoomable.tsx";
import { Card } from "#ui/card.tsx";
import { enterpriseReportMessages } from "./messages.ts";

interface Props {
  readonly groupid: number;
  readonly lineId: number;
  readonly title: string;
  readonly range: Range;
}

/** Traffic of a line, with the latency and loss of the worst link over it. */
function LineCharts({ groupid, lineId, title, range }: Props) {
  const t = useTexts(enterpriseReportMessages);
  const result = useCall(enterpriseLineReport, { groupid, lineId, ...range }, { keep: true });
  const points = result.data;
  const charts = useMemo(
    () =>
      points && {
        rates: [
          seriesOf(t("enterpriseReport.in"), points, ({ inRate }) => inRate),
          seriesOf(t("enterpriseReport.out"), points, ({ outRate }) => outRate),
        ],
        delay: [seriesOf(t("enterpriseReport.delay"), points, ({ delay }) => delay)],
        loss: [seriesOf(t("enterpriseReport.loss"), points, ({ loss }) => loss)],
      },
    [points, t],
  );
  if (!charts) {
    return result.error ? (
      <Failed error={result.error} retry={result.refetch} />
    ) : (
      <Loading rows={4} />
    );
  }
  return (
    <section className={styles.charts} aria-label={title}>
      <div className={styles.wide}>
        <LineChart
          title={`${title} · ${t("enterpriseReport.rate")}`}
          series={charts.rates}
          measure={rates}
        />
      </div>
      <LineChart title={t("enterpriseReport.delay")} series={charts.delay} measure={millis} />
      <LineChart title={t("enterpriseReport.loss")} series={charts.loss} measure={percents} />
    </section>
  );
}

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
