/** The canvas of the wallboard: it is rendered in this size and scaled into the window, in px. */
const canvas = { width: 1920, height: 1080 } as const;
/** A list shows its next page after so long, in ms. */
const turnMs = 10_000;
/** Data older than this is marked as old, in ms. */
const staleMs = 60_000;

/** As large as fits without cutting anything off. */
export const scaleOf = (width: number, height: number): number =>
  Math.min(width / canvas.width, height / canvas.height);

export const isStale = (asOf: Date, now: Date): boolean => now.getTime() - asOf.getTime() > staleMs;

/** The rows of a list that are on show now. */
export const pageAt = <Row>(rows: readonly Row[], size: number, now: Date): readonly Row[] => {
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const page = Math.floor(now.getTime() / turnMs) % pages;
  return rows.slice(page * size, (page + 1) * size);
};
