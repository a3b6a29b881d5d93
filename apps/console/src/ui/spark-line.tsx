interface Props {
  /** Samples in order of time; null where there is none: the line breaks. */
  readonly values: readonly (number | null)[];
  readonly width?: number;
  readonly height?: number;
  /** What it shows, for who cannot see it. */
  readonly label: string;
}

/** The path of a line from 0; a missing sample ends one piece and begins the next. */
export const sparkPath = (
  values: readonly (number | null)[],
  width: number,
  height: number,
): string => {
  const top = Math.max(1e-9, ...values.map((value) => value ?? 0));
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  let pen = "M";
  return values
    .flatMap((value, at) => {
      if (value === null) {
        pen = "M";
        return [];
      }
      const point = `${pen}${(at * step).toFixed(1)} ${(height - (value / top) * height).toFixed(1)}`;
      pen = "L";
      return [point];
    })
    .join("");
};

/** A small line without axes. */
export function SparkLine({ values, width = 96, height = 24, label }: Props) {
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 -1 ${width} ${height + 2}`}
      role="img"
      aria-label={label}
      style={{ color: "var(--w-run)" }}
    >
      <path
        d={sparkPath(values, width, height)}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
      />
    </svg>
  );
}
