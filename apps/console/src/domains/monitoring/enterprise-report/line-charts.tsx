import { enterpriseLineReport } from "@weft/contract/domains/monitoring/enterprise-report.ts";
import { useMemo } from "react";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import styles from "#parts/chart/chart-grid.module.css";
import { LineChart } from "#parts/chart/line-chart.tsx";
import { seriesOf } from "#parts/chart/series.ts";
import { millis, percents, rates } from "#parts/chart/value-texts.ts";
import type { Range } from "#parts/range/range.ts";
import { enterpriseReportMessages } from "./messages.ts";

interface Props {
  readonly groupid: number;
  readonly lineId: number;
  readonly title: string;
  readonly range: Range;
}

/** Traffic of a line, with the latency and loss of the worst link over it. */
export function LineCharts({ groupid, lineId, title, range }: Props) {
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
