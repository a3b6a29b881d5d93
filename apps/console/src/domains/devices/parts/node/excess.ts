/** Why a link counts as poor, in one phrase. */
import type { LinkExcess } from "@weft/contract/domains/devices/link-quality.ts";
import { stampText } from "#ui/time-text.tsx";
import type { NodeTexts } from "./node-texts.ts";

/** Since when: the time alone if it is of today. */
const timeText = (at: Date, now = new Date()): string => {
  const [day, time] = [stampText(at).slice(0, 10), stampText(at).slice(11, 16)];
  return day === stampText(now).slice(0, 10) ? time : `${day.slice(5)} ${time}`;
};

/** "Loss 3.9 % (limit 1 %) since 14:36". */
export function excessText(
  { metric, value, limit, since }: Omit<LinkExcess, "since"> & { readonly since: Date | null },
  t: NodeTexts,
): string {
  const what = t(`node.excess.${metric}`, { value: value ?? 0, limit: limit ?? 0 });
  return since === null ? what : t("node.excess.since", { what, time: timeText(since) });
}
