import { type QualityGrade, qualityGrade } from "@weft/contract/domains/devices/link-quality.ts";
import type { LinkRow } from "#domains/devices/parts/node/link-end.ts";

export type LinkGrade = QualityGrade;

type Quality = Pick<LinkRow, "status" | "delay" | "excess">;

/** What it was over the last minutes, by the grades of charts. */
const gradeOfExcess = ({ metric, value }: NonNullable<LinkRow["excess"]>): LinkGrade => {
  const within = { loss: 0, delay: 0, jitter: 0 };
  const grade =
    metric === "oneWay" || metric === "flapping"
      ? "poor"
      : qualityGrade({ ...within, [metric]: value });
  return grade === "poor" ? "poor" : "fair";
};

/** How a link does, measured over minutes; null: it is down, or nothing was measured yet. */
export function gradeOf({ status, delay, excess }: Quality): LinkGrade | null {
  if (status !== 1 || delay === null) return null;
  return excess === null ? "good" : gradeOfExcess(excess);
}
