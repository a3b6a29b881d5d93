import type { LinkRow } from "#domains/devices/parts/node/link-end.ts";

export const linkGrades = ["good", "fair", "poor"] as const;
export type LinkGrade = (typeof linkGrades)[number];

interface Limits {
  /** Percent. */
  readonly loss: number;
  /** Round trip and jitter, ms. */
  readonly delay: number;
  readonly jitter: number;
}

/** Twice the one-way delays that ITU-T G.114 calls good (150 ms) and acceptable (400 ms). */
const fair: Limits = { loss: 1, delay: 300, jitter: 30 };
const poor: Limits = { loss: 5, delay: 800, jitter: 100 };

const exceeds = (row: Quality, limits: Limits): boolean =>
  (row.loss ?? 0) > limits.loss ||
  (row.delay ?? 0) > limits.delay ||
  (row.jitter ?? 0) > limits.jitter;

type Quality = Pick<LinkRow, "status" | "delay" | "jitter" | "loss">;

/** How a link does for calls and meetings; null: it is down, or nothing was measured yet. */
export function gradeOf(row: Quality): LinkGrade | null {
  if (row.status !== 1 || row.delay === null) return null;
  if (exceeds(row, poor)) return "poor";
  return exceeds(row, fair) ? "fair" : "good";
}
