import { useTexts } from "#client/texts.ts";
import type { CallResult } from "#client/use-call.ts";
import { Await } from "#feedback/await.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { LineChart } from "#parts/chart/line-chart.tsx";
import { type ChartSeries, seriesOf } from "#parts/chart/series.ts";
import { type Measure, millis, percents, rates, volumes } from "#parts/chart/value-texts.ts";
import { reportMessages } from "./messages.ts";

/** What a point may show; each report has some of it. */
export interface ReportPoint {
  readonly time: Date;
  readonly inRate?: number | null;
  readonly outRate?: number | null;
  readonly inBytes?: number | null;
  readonly outBytes?: number | null;
  readonly delay?: number | null;
  readonly jitter?: number | null;
  readonly loss?: number | null;
  readonly cpu?: number | null;
  readonly mem?: number | null;
}

type ChartMetric = Exclude<keyof ReportPoint, "time">;

/** Metrics of one unit share a chart. */
const charts = {
  rate: { metrics: ["inRate", "outRate"], measure: rates },
  bytes: { metrics: ["inBytes", "outBytes"], measure: volumes },
  load: { metrics: ["cpu", "mem"], measure: percents },
  quality: { metrics: ["delay", "jitter"], measure: millis },
  loss: { metrics: ["loss"], measure: percents },
} as const satisfies Record<
  string,
  { readonly metrics: readonly ChartMetric[]; readonly measure: Measure }
>;
type ChartName = keyof typeof charts;

/** True where at least one point has one of the metrics of these charts. */
export const isMeasured = (points: readonly ReportPoint[], show: readonly ChartName[]): boolean =>
  show.some((name) =>
    charts[name].metrics.some((metric) => points.some((point) => (point[metric] ?? null) !== null)),
  );

interface Props {
  /** undefined: still asked for. The charts are there, as high as they will be. */
  readonly points: readonly ReportPoint[] | undefined;
  readonly show: readonly ChartName[];
  /** Before the titles of charts: which of several things they are of. */
  readonly of?: string;
}

/** One chart for each unit, of the metrics that the points have; one sentence when none has any. */
export function ReportCharts({ points, show, of }: Props) {
  const t = useTexts(reportMessages);
  if (of === undefined && points && !isMeasured(points, show)) {
    return <EmptyState kind="waiting" text={t("report.nothing")} />;
  }
  return (
    <>
      {show.map((name) => {
        const { metrics, measure } = charts[name];
        const title = t(`report.chart.${name}`);
        const series: ChartSeries[] = metrics
          .filter((metric) => points?.some((point) => point[metric] !== undefined))
          .map((metric) =>
            seriesOf(
              t(`report.metric.${metric}`),
              points ?? [],
              (reportPoint) => reportPoint[metric] ?? null,
            ),
          );
        return (
          <LineChart
            key={name}
            title={of === undefined ? title : `${of} · ${title}`}
            series={series}
            measure={measure}
            isWaiting={points === undefined}
          />
        );
      })}
    </>
  );
}

interface RangeChartsProps<Data> extends Pick<Props, "show"> {
  readonly result: Pick<CallResult<never>, "error" | "refetch"> & {
    readonly data: Data | undefined;
  };
  readonly points: (data: Data) => readonly ReportPoint[];
}

/** The charts of an answer: while it is on its way they are there, empty, so that nothing below them moves. */
export function RangeCharts<Data>({ result, show, points }: RangeChartsProps<Data>) {
  return (
    <Await result={result} waiting={<ReportCharts points={undefined} show={show} />}>
      {(data) => <ReportCharts points={points(data)} show={show} />}
    </Await>
  );
}
