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

/** Of a range of which less is known a share would mislead: 99.99 % of the last minute of a day. */
const minKnown = 0.01;

/** Whether enough of a range is known to give a share of it. */
export const isSignificant = ({ up, down, unknown }: Stretch): boolean =>
  up + down > 0 && up + down >= minKnown * (up + down + unknown);

/** Never rounds up to 100: 99.996 is 99.99. */
export const availabilityText = (percent: number): string =>
  percent === 100 ? "100" : (Math.floor(percent * 100) / 100).toFixed(2);
