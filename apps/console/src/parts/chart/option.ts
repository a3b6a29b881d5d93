import { clockText, stampText } from "#ui/time-text.tsx";
import { dashOf, weakForm } from "./forms.ts";
import type { ChartColours, ChartSeries } from "./series.ts";

interface Hovered {
  readonly seriesName: string;
  readonly marker: string;
  readonly value: readonly [number, number | null];
}

const escapes: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;" };
// The tooltip is HTML, and users choose the names of lines.
const escaped = (text: string): string => text.replace(/[<>&]/g, (sign) => escapes[sign] ?? sign);

/** How values are written: in full, on the axis, and if there is none. */
interface ChartTexts {
  text(value: number): string;
  tick(value: number): string;
  readonly gap: string;
}

const tooltipText = (hovered: readonly Hovered[], { text, gap }: ChartTexts): string => {
  const [first] = hovered;
  if (!first) return "";
  const rows = hovered.map(
    ({ marker, seriesName, value: [, value] }) =>
      `${marker}${escaped(seriesName)} <b>${value === null ? gap : text(value)}</b>`,
  );
  return [stampText(new Date(first.value[0])), ...rows].join("<br>");
};

interface Drawn {
  /** The range is longer than one day. */
  readonly isLong: boolean;
  /** Colour-weak mode: lines differ in form as well. */
  readonly isWeak: boolean;
}

/** What ECharts draws for these series. */
export const chartOption = (
  series: readonly ChartSeries[],
  texts: ChartTexts,
  { lines, text: ink, hairline, ground }: ChartColours,
  { isLong, isWeak }: Drawn,
) => {
  const short = (at: number): string =>
    isLong ? stampText(new Date(at)).slice(5, 16) : clockText(new Date(at)).slice(0, 5);
  // A single series is described by the title.
  const hasLegend = series.length > 1;
  return {
    animation: false,
    color: [...lines],
    textStyle: { fontFamily: "inherit" },
    grid: {
      left: 8,
      right: isWeak ? 104 : 16,
      top: 12,
      containLabel: true,
      bottom: hasLegend ? 34 : 8,
    },
    legend: {
      show: hasLegend,
      bottom: 0,
      type: "scroll" as const,
      ...(!isWeak && { icon: "roundRect" }),
      textStyle: { color: ink },
    },
    tooltip: {
      trigger: "axis" as const,
      confine: true,
      backgroundColor: ground,
      borderColor: hairline,
      textStyle: { color: ink },
      formatter: (hovered: unknown) => tooltipText(hovered as Hovered[], texts),
    },
    xAxis: {
      type: "time" as const,
      axisLabel: { color: ink, hideOverlap: true, formatter: short },
      axisLine: { lineStyle: { color: hairline } },
    },
    yAxis: {
      type: "value" as const,
      min: 0,
      splitNumber: 3,
      axisLabel: { color: ink, formatter: texts.tick },
      splitLine: { lineStyle: { color: hairline } },
    },
    series: series.map(({ name, points }, index) => ({
      name,
      type: "line" as const,
      showSymbol: false,
      connectNulls: false,
      // Some users cannot distinguish lines by colour alone.
      ...(!hasLegend && { areaStyle: { opacity: 0.12 } }),
      lineStyle: { width: isWeak ? 2 : 1.5, type: dashOf(index) },
      ...(isWeak && weakForm(index, points.length, ink)),
      data: points.map(({ at, value }) => [at.getTime(), value] as [number, number | null]),
    })),
  };
};
