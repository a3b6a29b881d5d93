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
