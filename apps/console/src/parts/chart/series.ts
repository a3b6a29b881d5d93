/** What a chart shows: lines over one axis of time. */
export interface ChartSeries {
  readonly name: string;
  /** Equal steps; null: nothing was measured, and no line is drawn there. */
  readonly points: readonly { readonly at: Date; readonly value: number | null }[];
}

export interface ChartColours {
  readonly lines: readonly string[];
  readonly text: string;
  readonly hairline: string;
  readonly ground: string;
}

/** Highest, mean and last known value; null when nothing was measured. */
export const summaryOf = ({ points }: ChartSeries) => {
  const known = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const last = known.at(-1);
  if (last === undefined) return null;
  const mean = known.reduce((sum, one) => sum + one, 0) / known.length;
  return { most: known.reduce((a, b) => Math.max(a, b)), mean, last };
};

/** Steps of the range in which no series has a value. */
export const gapsIn = (series: readonly ChartSeries[]): number => {
  const [first] = series;
  if (!first) return 0;
  return first.points.filter((_, at) =>
    series.every(({ points }) => (points[at]?.value ?? null) === null),
  ).length;
};

/** One figure of points of the wire as a series. */
export const seriesOf = <Point extends { readonly time: Date }>(
  name: string,
  points: readonly Point[],
  value: (point: Point) => number | null,
): ChartSeries => ({ name, points: points.map((one) => ({ at: one.time, value: value(one) })) });
