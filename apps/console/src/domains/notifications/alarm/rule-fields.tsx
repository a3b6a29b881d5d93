import { alarmMetrics } from "@weft/contract/domains/devices/enums.ts";
import type { alarmRule } from "@weft/contract/domains/notifications/alarm.ts";
import {
  alarmLevels,
  compareTypes,
  isMeasured,
  metricUnit,
} from "@weft/contract/domains/notifications/enums.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { codeOptions, Field, FieldRow, When } from "#kernel/form/field.tsx";
import { useAlarmTexts } from "./alarm-text.ts";

type Draft = DraftOf<typeof alarmRule>;

/** A rule about what is up or down compares nothing. */
export const sentRule = (draft: Draft): Draft =>
  isMeasured(draft.metric)
    ? draft
    : { ...draft, compareType: null, threshold: null, hysteresis: 0 };

/** When an alarm is raised, when it clears, and how bad it is. */
export function RuleFields() {
  const t = useAlarmTexts();
  const { metric } = useDraftValues<Draft>();
  const unit = metricUnit(metric);
  return (
    <>
      <FieldRow>
        <Field
          name="metric"
          kind="select"
          label={t("alarmRule.metric")}
          options={codeOptions(t, "alarmMetric", alarmMetrics)}
        />
        <Field name="level" kind="select" options={codeOptions(t, "alarmLevel", alarmLevels)} />
      </FieldRow>
      {isMeasured(metric) && (
        <When>
          <FieldRow>
            <Field
              name="compareType"
              kind="select"
              options={codeOptions(t, "compareType", compareTypes)}
            />
            <Field name="threshold" kind="number" unit={unit} />
          </FieldRow>
          <Field name="hysteresis" kind="number" unit={unit} help={t("alarmRule.hysteresisHelp")} />
        </When>
      )}
      <Field name="duration" kind="number" unit="s" help={t("alarmRule.durationHelp")} />
      <Field name="recovery" kind="number" unit="s" help={t("alarmRule.recoveryHelp")} />
      <Field name="enable" label={t.code("enable", true)} />
    </>
  );
}
