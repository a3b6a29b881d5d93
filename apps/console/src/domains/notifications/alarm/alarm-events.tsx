import {
  alarmEventHandle,
  alarmEventList,
} from "@weft/contract/domains/notifications/alarm-event.ts";
import { alarmLevels, alarmMetrics } from "@weft/contract/domains/notifications/enums.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { useState } from "react";
import { paths } from "#client/paths.ts";
import { refreshEvery } from "#client/use-call.ts";
import { Field } from "#kernel/form/field.tsx";
import {
  type Column,
  nameColumn,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { useSelection } from "#kernel/list/use-selection.ts";
import { CallDialog } from "#parts/call-dialog.tsx";
import { stampText } from "#ui/time-text.tsx";
import { AlarmTabs } from "./alarm-tabs.tsx";
import { type AlarmTexts, levelGlyph, useAlarmTexts } from "./alarm-text.ts";

type Row = OutputOf<typeof alarmEventList>[number];

const placeOf = ({ cpeId, popId }: Row): string =>
  popId === null ? paths.cpeDetail(cpeId ?? 0) : paths.popDetail(popId);

/** Beside the sentence: what it caused, or that it was caused. */
const noteOf = (t: AlarmTexts, { childNum, parentId }: Row): string | undefined => {
  if (childNum > 0) return t("alarm.children", { count: childNum });
  return parentId === null ? undefined : t("alarm.caused");
};

const columnsOf = (t: AlarmTexts): Column<Row>[] => [
  stateColumn(
    "level",
    t.field("level"),
    ({ level }: Row) => ({ glyph: levelGlyph[level], label: t.code("alarmLevel", level) }),
    { width: 112, sort: true },
  ),
  nameColumn(
    "content",
    t("alarm.what"),
    (row: Row) => {
      const note = noteOf(t, row);
      return { text: row.content, to: placeOf(row), ...(note !== undefined && { note }) };
    },
    { width: 264 },
  ),
  stateColumn(
    "active",
    t("alarm.state"),
    ({ recoverTime }: Row) =>
      recoverTime === null
        ? { glyph: "bad", label: t("alarm.active") }
        : { glyph: "ok", label: t("alarm.cleared") },
    { width: 120 },
  ),
  timeColumn("createTime", t("alarm.since"), ({ createTime }: Row) => createTime, {
    form: "stamp",
    width: 176,
    sort: true,
  }),
  timeColumn("recoverTime", t("alarm.until"), ({ recoverTime }: Row) => recoverTime, {
    form: "stamp",
    width: 176,
    missing: t("alarm.still"),
  }),
  numberColumn("count", t("alarm.count"), ({ count }: Row) => count, { width: 72 }),
  textColumn("strategyName", t("alarm.policy"), ({ strategyName }: Row) => strategyName, {
    width: 144,
    optional: true,
  }),
  textColumn("enterpriseName", t.field("enterpriseName"), (row: Row) => row.enterpriseName, {
    width: 144,
    optional: true,
  }),
  stateColumn(
    "handled",
    t.field("handled"),
    ({ handled, handleUser, handleRemark, handleTime }: Row) =>
      handled && handleTime
        ? {
            glyph: "ok",
            label: t("alarm.handled"),
            hint: t("alarm.handledBy", {
              user: handleUser,
              time: stampText(handleTime),
              remark: handleRemark,
            }),
          }
        : { glyph: "unknown", label: t("alarm.unhandled") },
    { width: 120 },
  ),
];

const filtersOf = (t: AlarmTexts) => [
  { key: "name", kind: "text" as const, label: t("alarm.node") },
  {
    key: "active",
    kind: "select" as const,
    label: t("alarm.state"),
    width: 128,
    options: [
      { value: true, label: t("alarm.active") },
      { value: false, label: t("alarm.cleared") },
    ],
  },
  {
    key: "level",
    kind: "select" as const,
    label: t.field("level"),
    width: 128,
    options: alarmLevels.map((value) => ({ value, label: t.code("alarmLevel", value) })),
  },
  {
    key: "metric",
    kind: "select" as const,
    label: t("alarmRule.metric"),
    width: 144,
    options: alarmMetrics.map((value) => ({ value, label: t.code("alarmMetric", value) })),
  },
  {
    key: "handled",
    kind: "select" as const,
    label: t.field("handled"),
    width: 128,
    options: [
      { value: false, label: t("alarm.unhandled") },
      { value: true, label: t("alarm.handled") },
    ],
  },
];

/** Alarms, the newest first; they open and clear while the list is shown. */
export function AlarmEvents() {
  const t = useAlarmTexts();
  const list = useList(alarmEventList, { every: refreshEvery });
  const selection = useSelection<Row>("id", list);
  const [handling, setHandling] = useState<readonly number[]>([]);
  const acknowledge = (rows: readonly Row[]): void =>
    setHandling(rows.filter(({ handled }) => !handled).map(({ id }) => id));
  return (
    <ListPage
      title={t("alarm.tab.events")}
      list={list}
      rowKey="id"
      columns={columnsOf(t)}
      filters={filtersOf(t)}
      tools={<AlarmTabs />}
      selection={selection}
      batch={(rows) => [{ key: "handle", label: t("alarm.handle"), run: () => acknowledge(rows) }]}
      actions={(row: Row) =>
        row.handled
          ? []
          : [{ key: "handle", label: t("alarm.handle"), run: () => acknowledge([row]) }]
      }
      empty={{ text: t("alarm.noEvents") }}
    >
      <CallDialog
        endpoint={alarmEventHandle}
        open={handling.length > 0}
        title={t("alarm.handleTitle", { count: handling.length })}
        initial={{ ids: [...handling], remark: "" }}
        ok={t("alarm.handle")}
        touches={["alarmEvent"]}
        onClose={() => {
          setHandling([]);
          selection.clear();
        }}
      >
        <Field name="remark" help={t("alarm.handleHelp")} />
      </CallDialog>
    </ListPage>
  );
}
