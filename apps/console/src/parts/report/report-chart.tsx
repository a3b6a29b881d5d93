import { useTexts } from "#client/texts.ts";
import { LineChart } from "#parts/chart/line-chart.tsx";
import { type ChartSeries, seriesOf } from "#parts/chart/series.ts";
import { millisValue, percentValue, rateValue, volumeValue } from "#parts/chart/value-texts.ts";
import { reportMessages } from "./messages.ts";

/** What a point may tell; each report has some of it. */
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

type Figure = Exclude<keyof ReportPoint, "time">;

/** Figures of one unit stand in one chart. */
const charts = {
  rate: { figures: ["inRate", "outRate"], text: rateValue },
  bytes: { figures: ["inBytes", "outBytes"], text: volumeValue },
  load: { figures: ["cpu", "mem"], text: percentValue },
  quality: { figures: ["delay", "jitter"], text: millisValue },
  loss: { figures: ["loss"], text: percentValue },
} as const satisfies Record<
  string,
  { readonly figures: readonly Figure[]; readonly text: (value: number) => string }
>;
type ChartName = keyof typeof charts;

interface Props {
  readonly points: readonly ReportPoint[];
  readonly show: readonly ChartName[];
  /** Before the titles of charts: which of several things they are of. */
  readonly of?: string;
}

/** One chart for each unit, of the figures that the points have. */
export function ReportCharts({ points, show, of }: Props) {
  const t = useTexts(reportMessages);
  return (
    <>
      {show.map((name) => {
        const { figures, text } = charts[name];
        const title = t(`report.chart.${name}`);
        const series: ChartSeries[] = figures
          .filter((figure) => points.some((one) => one[figure] !== undefined))
          .map((figure) =>
            seriesOf(t(`report.figure.${figure}`), points, (one) => one[figure] ?? null),
          );
        return (
          <LineChart
            key={name}
            title={of === undefined ? title : `${of} · ${title}`}
            series={series}
            text={text}
          />
        );
      })}
    </>
  );
}
