/** How lines are distinguished without their colour. */

/** Dashes of the first six lines: ECharts' names, or lengths of strokes and gaps in px. */
const dashes = ["solid", "dashed", "dotted", [12, 4], [8, 3, 2, 3], [2, 6]] as const;

/** Shapes along a line; none looks like another when it is rotated or small. */
const marks = ["circle", "rect", "triangle", "diamond", "arrow", "pin"] as const;

/** Marks that a line bears over its whole length, about. */
const marksOfLine = 8;

const nth = <T>(of: readonly T[], index: number): T => of[index % of.length] as T;

/** The dash of a line, from 0. */
export const dashOf = (index: number) => {
  const dash = nth<string | readonly number[]>(dashes, index);
  return typeof dash === "string" ? (dash as "solid") : [...dash];
};

/**
 * What a line has beside its dash in colour-weak mode: a shape at some of its points, others than
 * its neighbour's so that lines that lie over each other show both, and its name at its end.
 */
export const weakForm = (index: number, points: number, ink: string) => {
  const every = Math.max(1, Math.ceil(points / marksOfLine));
  const from = Math.floor((index * every) / marks.length) % every;
  return {
    showSymbol: true,
    symbol: nth(marks, index),
    symbolSize: (_: unknown, { dataIndex }: { readonly dataIndex: number }): number =>
      dataIndex % every === from ? 8 : 0,
    endLabel: {
      show: true,
      formatter: "{a}",
      color: ink,
      width: 88,
      overflow: "truncate" as const,
    },
  };
};
