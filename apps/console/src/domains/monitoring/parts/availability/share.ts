/** How a stretch of a strip is shown. */
export interface Stretch {
  /** Seconds. */
  readonly up: number;
  readonly down: number;
  readonly unknown: number;
}

export type StretchState = "up" | "down" | "unknown";

/** Any time down shows as down, any gap as a gap: only what was up throughout is up. */
export const stateOf = ({ down, unknown }: Stretch): StretchState =>
  down > 0 ? "down" : unknown > 0 ? "unknown" : "up";

/** Never rounds up to 100: 99.996 is 99.99. */
export const availabilityText = (percent: number): string =>
  percent === 100 ? "100" : (Math.floor(percent * 100) / 100).toFixed(2);
