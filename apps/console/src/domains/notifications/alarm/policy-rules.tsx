import { alarmMetrics } from "@weft/contract/domains/devices/enums.ts";
import { alarmRule, type alarmStrategy } from "@weft/contract/domains/notifications/alarm.ts";
import {
  alarmLevels,
  compareTypes,
  isMeasured,
  metricUnit,
} from "@weft/contract/domains/notifications/enums.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { May } from "#client/session.tsx";
import { codeOptions } from "#client/texts.ts";
import { levelGlyph } from "#domains/notifications/parts/alarm/level-glyph.ts";
import { EmptyState } from "#feedback/empty-state.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field, FieldRow, When } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { type Column, nameColumn, stateColumn, textColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { enableColumn } from "#parts/enable-column.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { useNarrow } from "#ui/use-narrow.ts";
import { type AlarmTexts, conditionText, type Rule, useAlarmTexts } from "./alarm-text.ts";

type Draft = DraftOf<typeof alarmRule>;

/** A rule about what is up or down compares nothing. */
const sentRule = (draft: Draft): Draft =>
  isMeasured(draft.metric)
    ? draft
    : { ...draft, compareType: null, threshold: null, hysteresis: 0 };

/** When an alarm is raised, when it clears, and how bad it is. */
function RuleFields() {
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

const columnsOf = (t: AlarmTexts): Column<Rule>[] => [
  nameColumn(
    "metric",
    t("alarmRule.metric"),
    ({ metric }: Rule) => ({ text: t.code("alarmMetric", metric) }),
    { width: 128 },
  ),
  stateColumn(
    "level",
    t.field("level"),
    ({ level }: Rule) => ({ glyph: levelGlyph[level], label: t.code("alarmLevel", level) }),
    { width: 112, sort: true },
  ),
  textColumn("condition", t("alarmRule.condition"), (rule: Rule) => conditionText(t, rule), {
    width: 216,
  }),
  enableColumn(t),
];

const newRule = (strategyId: number): DraftOf<typeof alarmRule> => ({
  strategyId,
  metric: "node",
  compareType: null,
  threshold: null,
  hysteresis: 0,
  duration: 30,
  recovery: 60,
  level: 1,
  enable: true,
});

interface Props {
  readonly policy: RowOf<typeof alarmStrategy>;
  readonly onClose: () => void;
}

/** The rules of one policy. */
export function PolicyRules({ policy, onClose }: Props) {
  const t = useAlarmTexts();
  const isNarrow = useNarrow();
  const fixed = { strategyId: policy.id };
  const list = useResourceList(alarmRule, { fixed, inUrl: false });
  const [edited, setEdited] = useState<Rule | "new" | null>(null);
  const remove = useRemove(alarmRule, {
    title: ([rule]) =>
      t("alarmRule.removeTitle", {
        name: `${t.code("alarmMetric", rule.metric)} ${conditionText(t, rule)}`,
      }),
    body: () => t("alarmRule.removeBody"),
    touches: ["alarmStrategy", "alarmEvent"],
  });
  const startAdding = (): void => setEdited("new");
  return (
    <Drawer
      open
      size={isNarrow ? "100%" : 720}
      title={t("alarmRule.title", { name: policy.name })}
      onClose={onClose}
      extra={
        <May code="strategyAdd">
          <Button type="primary" onClick={startAdding}>
            {t("alarmRule.add")}
          </Button>
        </May>
      }
    >
      <ResourceTable
        list={list}
        rowKey="id"
        columns={columnsOf(t)}
        empty={<EmptyState kind="first" text={t("alarmRule.empty")} />}
        actions={(rule: Rule) => [
          { key: "edit", label: t("act.edit"), may: "strategyEdit", run: () => setEdited(rule) },
          {
            key: "remove",
            label: t("act.remove"),
            may: "strategyRemove",
            danger: true,
            run: () => void remove([rule]),
          },
        ]}
      />
      <ResourceForm
        resource={alarmRule}
        open={edited !== null}
        row={edited === "new" ? null : edited}
        title={t(edited === "new" ? "alarmRule.add" : "alarmRule.edit")}
        initial={newRule(policy.id)}
        send={sentRule}
        touches={["alarmStrategy", "alarmEvent"]}
        onClose={() => setEdited(null)}
      >
        <RuleFields />
      </ResourceForm>
    </Drawer>
  );
}
