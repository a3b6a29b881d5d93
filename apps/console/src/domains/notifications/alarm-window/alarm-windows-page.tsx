import { pop } from "@weft/contract/domains/devices/pop.ts";
import { alarmWindow } from "@weft/contract/domains/notifications/alarm-window.ts";
import { type WindowKind, windowKinds } from "@weft/contract/domains/notifications/enums.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { codeOptions, useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { Field, type FieldControl } from "#kernel/form/field.tsx";
import { useDraftContext } from "#kernel/form/use-draft.ts";
import { stateColumn, textColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { CpeChoice } from "#parts/fields/cpe-choice.tsx";
import { ManyChoice } from "#parts/fields/many-choice.tsx";

type Row = RowOf<typeof alarmWindow>;
type Ids = FieldControl<readonly number[]>;

const messages = defineMessages({
  "window.title": ["维护窗口", "Maintenance windows"],
  "window.add": ["新增维护窗口", "Add window"],
  "window.empty": [
    "还没有维护窗口。窗口内的告警保留，但不发送也不计数",
    "No windows yet. Alarms in a window are kept, and neither sent nor counted",
  ],
  "window.removeBody": [
    "窗口立即结束，仍未恢复的告警会发送。",
    "The window ends immediately, and alarms that are still active are sent.",
  ],
  "window.state": ["窗口状态", "Window state"],
  "window.planned": ["未开始", "Planned"],
  "window.running": ["进行中", "In progress"],
  "window.over": ["已结束", "Over"],
  "window.target": ["对象", "Target"],
  "window.sites": ["{count} 个站点", "{count|site|sites}"],
  "window.pops": ["{count} 个 POP", "{count|POP|POPs}"],
});
const useWindowTexts = () => useTexts(messages);
type WindowTexts = ReturnType<typeof useWindowTexts>;

function targetText(t: WindowTexts, { kind, cpeIds, popIds, scopeName, isp }: Row): string {
  if (kind === 1) return t("window.sites", { count: cpeIds.length });
  if (kind === 2) return t("window.pops", { count: popIds.length });
  return kind === 3 ? scopeName : isp;
}

function stateOf(t: WindowTexts, { startTime, endTime }: Row) {
  const now = Date.now();
  if (endTime.getTime() <= now) return { glyph: "off", label: t("window.over") } as const;
  if (startTime.getTime() > now) return { glyph: "unknown", label: t("window.planned") } as const;
  return { glyph: "run", label: t("window.running") } as const;
}

function Fields() {
  const t = useWindowTexts();
  const { values } = useDraftContext();
  const pops = useCall(pop.ops.combo, {});
  const kind = values.kind as WindowKind;
  return (
    <>
      <Field name="reason" />
      <Field name="groupid" kind={EnterpriseControl} />
      <Field name="kind" kind="select" options={codeOptions(t, "windowKind", windowKinds)} />
      {kind === 1 && (
        <Field name="cpeIds" required>
          {(control) => <CpeChoice control={control as Ids} />}
        </Field>
      )}
      {kind === 2 && (
        <Field name="popIds" required>
          {(control) => (
            <ManyChoice
              inOneLine
              control={control as Ids}
              options={(pops.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
        </Field>
      )}
      {kind === 3 && <Field name="scopeId" kind={EnterpriseControl} required />}
      {kind === 4 && <Field name="isp" required />}
      <Field name="startTime" />
      <Field name="endTime" />
      <Field name="remark" />
    </>
  );
}

/** Planned work: its alarms are kept, and neither sent nor counted. */
export default resourcePage(alarmWindow, function useWindows() {
  const t = useWindowTexts();
  return {
    title: t("window.title"),
    addLabel: t("window.add"),
    empty: t("window.empty"),
    nameOf: (row) => row.reason,
    columns: [
      "reason",
      stateColumn("state", t("window.state"), (row: Row) => stateOf(t, row), { width: 112 }),
      textColumn("kind", t.field("kind"), ({ kind }: Row) => t.code("windowKind", kind), {
        width: 128,
      }),
      textColumn("target", t("window.target"), (row: Row) => targetText(t, row), { width: 160 }),
      "startTime",
      "endTime",
      "enterpriseName",
      "remark",
    ],
    filters: [
      { key: "reason", kind: "text", label: t.field("reason") },
      { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
    ],
    form: {
      initial: {
        reason: "",
        groupid: null,
        kind: 1,
        cpeIds: [],
        popIds: [],
        scopeId: null,
        isp: "",
        remark: "",
      },
      body: () => <Fields />,
    },
    removal: { body: () => t("window.removeBody") },
    touches: ["alarmEvent"],
  };
});
