import { type LinkLimits, linkLimits } from "@weft/contract/domains/overlay/link-quality.ts";
import type { LinkRow } from "#domains/devices/parts/node/link-end.ts";

export const linkGrades = ["good", "fair", "poor"] as const;
export type LinkGrade = (typeof linkGrades)[number];

const exceeds = (row: Quality, limits: LinkLimits): boolean =>
  (row.loss ?? 0) > limits.loss ||
  (row.delay ?? 0) > limits.delay ||
  (row.jitter ?? 0) > limits.jitter;

type Quality = Pick<LinkRow, "status" | "delay" | "jitter" | "loss">;

/** How a link does for calls and meetings; null: it is down, or nothing was measured yet. */
export function gradeOf(row: Quality): LinkGrade | null {
  if (row.status !== 1 || row.delay === null) return null;
  if (exceeds(row, linkLimits.poor)) return "poor";
  return exceeds(row, linkLimits.fair) ? "fair" : "good";
}
