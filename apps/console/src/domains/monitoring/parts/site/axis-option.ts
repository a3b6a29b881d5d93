/** What ECharts draws of one metric of all paths, on the axis that the strips have. */
import { chartOption } from "#parts/chart/option.ts";
import { type ChartColours, type ChartSeries, maxOf } from "#parts/chart/series.ts";
import { type QualityMetric, type Scale, type Span, scaleOf } from "./axis.ts";

export interface AxisColours extends ChartColours {
  readonly fair: string;
  readonly poor: string;
}

interface AxisTexts {
  text(value: number): string;
  /** As exact as the step of the axis is, where `text` may round two values to one. */
  tick(value: number): string;
  limit(name: "fair" | "poor"): string;
  readonly gap: string;
}

/** A dashed line at a limit, called at its right end. */
const limitLine = (
  { name, at }: Scale["limits"][number],
  { from, to }: Span,
  texts: AxisTexts,
  colours: AxisColours,
) => ({
  name: texts.limit(name),
  type: "line" as const,
  showSymbol: false,
  connectNulls: false,
  silent: true,
  lineStyle: { width: 1, type: [6, 4], color: colours[name] },
  endLabel: {
    show: true,
    formatter: "{a}",
    color: colours[name],
    width: 160,
    overflow: "truncate" as const,
    align: "right" as const,
    offset: [-16, -7],
    fontSize: 12,
  },
  data: [
    [from, at],
    [to, at],
  ] as [number, number | null][],
});

/**
 * No space beside the drawing: its left and right ends are those of the strips. The values of the vertical axis are
 * written inside, the moments below all charts.
 */
export function axisOption(
  series: readonly ChartSeries[],
  metric: QualityMetric,
  span: Span,
  texts: AxisTexts,
  colours: AxisColours,
  isWeak: boolean,
) {
  const { limits, top } = scaleOf(maxOf(series), metric);
  const tick = (value: number): string => (value === 0 ? "" : texts.tick(value));
  const base = chartOption(series, { ...texts, tick }, colours, { isLong: false, isWeak });
  const lines = base.series.map((seriesOption) => ({
    ...seriesOption,
    areaStyle: undefined,
    endLabel: undefined,
  }));
  const limitLines = limits.map((limit) => limitLine(limit, span, texts, colours));
  return {
    ...base,
    grid: { left: 0, right: 0, top: 8, bottom: 2, containLabel: false },
    legend: { ...base.legend, show: false },
    tooltip: { ...base.tooltip, show: false },
    xAxis: {
      ...base.xAxis,
      min: span.from,
      max: span.to,
      axisTick: { show: false },
      axisLabel: { ...base.xAxis.axisLabel, show: false },
    },
    yAxis: {
      ...base.yAxis,
      max: top,
      splitNumber: 2,
      axisLabel: {
        ...base.yAxis.axisLabel,
        inside: true,
        verticalAlign: "bottom" as const,
        showMaxLabel: false,
      },
    },
    series: [...lines, ...limitLines] as typeof base.series,
  };
}
