import type { AlarmMetric } from "@weft/contract/domains/devices/enums.ts";
import type { alarmRule } from "@weft/contract/domains/notifications/alarm.ts";
import { metricUnit } from "@weft/contract/domains/notifications/enums.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { useTexts } from "#client/texts.ts";
import { alarmMessages } from "./messages.ts";

export type Rule = RowOf<typeof alarmRule>;

export const useAlarmTexts = () => useTexts(alarmMessages);
export type AlarmTexts = ReturnType<typeof useAlarmTexts>;

/** A value with the unit of its metric: "5 %", "80 ms". */
const numberText = (metric: AlarmMetric, value: number): string =>
  `${Math.round(value * 10) / 10} ${metricUnit(metric)}`;

/** When a rule raises an alarm: "丢包率 大于 5 %，持续 60 秒". */
export function conditionText(t: AlarmTexts, rule: Rule): string {
  const { compareType, threshold, duration, metric } = rule;
  const how =
    compareType === null || threshold === null
      ? t("alarmRule.down")
      : `${t.code("compareType", compareType)} ${numberText(metric, threshold)}`;
  return duration === 0 ? how : t("alarmRule.lasting", { condition: how, seconds: duration });
}
