/** Above which values a link no longer does well for calls and meetings. */
export interface LinkLimits {
  /** Percent. */
  readonly loss: number;
  /** Round trip and jitter, ms. */
  readonly delay: number;
  readonly jitter: number;
}

/** Twice the one-way delays that ITU-T G.114 calls good (150 ms) and acceptable (400 ms). */
export const linkLimits: Readonly<Record<"fair" | "poor", LinkLimits>> = {
  fair: { loss: 1, delay: 300, jitter: 30 },
  poor: { loss: 5, delay: 800, jitter: 100 },
};

export const qualityGrades = ["good", "fair", "poor"] as const;
export type QualityGrade = (typeof qualityGrades)[number];

/** What of a link was measured: percent, ms, ms; null: nothing. */
export interface Measured {
  readonly loss: number | null;
  readonly delay: number | null;
  readonly jitter: number | null;
}

const exceeds = ({ loss, delay, jitter }: Measured, limits: LinkLimits): boolean =>
  (loss ?? 0) > limits.loss || (delay ?? 0) > limits.delay || (jitter ?? 0) > limits.jitter;

/** How a link that is up does for calls and meetings; null: nothing was measured. */
export function qualityGrade(measured: Measured): QualityGrade | null {
  if (measured.delay === null && measured.loss === null) return null;
  if (exceeds(measured, linkLimits.poor)) return "poor";
  return exceeds(measured, linkLimits.fair) ? "fair" : "good";
}
