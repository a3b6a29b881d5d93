/** What a chart shows: lines over one axis of time. */
export interface ChartSeries {
  readonly name: string;
  /** Equal steps; null: nothing was measured, and no line is rendered there. */
  readonly points: readonly { readonly at: Date; readonly value: number | null }[];
}

export interface ChartColours {
  readonly lines: readonly string[];
  readonly text: string;
  readonly hairline: string;
  readonly ground: string;
}

/** The value that 95 of 100 do not exceed, nearest rank. */
const percentile95 = (known: readonly number[]): number =>
  known.toSorted((a, b) => a - b)[Math.ceil(known.length * 0.95) - 1] ?? 0;

/** Last, mean, highest known value and P95; null when nothing was measured. */
export const summaryOf = ({ points }: ChartSeries) => {
  const known = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const last = known.at(-1);
  if (last === undefined) return null;
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const max = known.reduce((a, b) => Math.max(a, b));
  return { last, mean, p95: percentile95(known), most: max };
};

/** The highest value of all; 0 when nothing was measured. */
export const maxOf = (series: readonly ChartSeries[]): number =>
  series.reduce((max, chartSeries) => Math.max(max, summaryOf(chartSeries)?.most ?? 0), 0);

/** Steps of the range in which no series has a value. */
export const gapsIn = (series: readonly ChartSeries[]): number => {
  const [first] = series;
  if (!first) return 0;
  return first.points.filter((_, at) =>
    series.every(({ points }) => (points[at]?.value ?? null) === null),
  ).length;
};

/** One value of points of the wire as a series. */
export const seriesOf = <Point extends { readonly time: Date }>(
  name: string,
  points: readonly Point[],
  value: (point: Point) => number | null,
): ChartSeries => ({
  name,
  points: points.map((point) => ({ at: point.time, value: value(point) })),
});
