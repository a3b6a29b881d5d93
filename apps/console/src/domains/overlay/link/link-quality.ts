import { type QualityGrade, qualityGrade } from "@weft/contract/domains/overlay/link-quality.ts";
import type { LinkRow } from "#domains/devices/parts/node/link-end.ts";

export type LinkGrade = QualityGrade;

type Quality = Pick<LinkRow, "status" | "delay" | "jitter" | "loss">;

/** How a link does for calls and meetings; null: it is down, or nothing was measured yet. */
export const gradeOf = (row: Quality): LinkGrade | null =>
  row.status !== 1 || row.delay === null ? null : qualityGrade(row);
