import { alarmMetrics } from "@weft/contract/domains/devices/enums.ts";
import { alarmEventList } from "@weft/contract/domains/notifications/alarm-event.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { ReactNode } from "react";
import { paths } from "#client/paths.ts";
import { codeOptions } from "#client/texts.ts";
import { refreshEvery } from "#client/use-call.ts";
import { activeGlyph, levelGlyph } from "#domains/notifications/parts/alarm/level-glyph.ts";
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
import { stampText } from "#ui/time-text.tsx";
import { type Target, useAlarmActions } from "./alarm-actions.tsx";
import { handledFilter, levelFilter, ownerFilter, sharedOwner } from "./alarm-filters.ts";
import { type AlarmTexts, useAlarmTexts } from "./alarm-text.ts";

type Row = OutputOf<typeof alarmEventList>[number];

const placeOf = ({ cpeId, popId }: Row): string =>
  popId === null ? paths.cpeDetail(cpeId ?? 0) : paths.popDetail(popId);

/** Beside the sentence: what it caused, or that it was caused. */
const noteOf = (t: AlarmTexts, { childNum, parentId }: Row): string | undefined => {
  if (childNum > 0) return t("alarm.children", { count: childNum });
  return parentId === null ? undefined : t("alarm.caused");
};

/** Active, put off, in a maintenance window, or over. */
function stateOf(t: AlarmTexts, row: Row) {
  const { recoverTime, maintenanceUntil, snoozedUntil, snoozeNote } = row;
  const now = Date.now();
  const isAhead = (at: Date | null): at is Date => at !== null && at.getTime() > now;
  if (recoverTime !== null) return { glyph: "ok", label: t("alarm.cleared") } as const;
  if (isAhead(maintenanceUntil)) {
    const hint = t("alarm.untilTime", { time: stampText(maintenanceUntil) });
    return { glyph: "off", label: t("alarm.view.maintenance"), hint } as const;
  }
  if (isAhead(snoozedUntil)) {
    const until = t("alarm.untilTime", { time: stampText(snoozedUntil) });
    const hint = snoozeNote === "" ? until : `${until} · ${snoozeNote}`;
    return { glyph: "off", label: t("alarm.view.snoozed"), hint } as const;
  }
  return { glyph: activeGlyph[row.level], label: t("alarm.active") } as const;
}

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
    // What and where: the sentence has the room of columns that are optional.
    { width: 400 },
  ),
  stateColumn("active", t("alarm.state"), (row: Row) => stateOf(t, row), { width: 120 }),
  timeColumn("createTime", t("alarm.since"), ({ createTime }: Row) => createTime, {
    form: "stamp",
    width: 176,
    sort: true,
  }),
  timeColumn("recoverTime", t("alarm.until"), ({ recoverTime }: Row) => recoverTime, {
    form: "stamp",
    width: 176,
    missing: t("alarm.still"),
    optional: true,
  }),
  numberColumn("count", t("alarm.count"), ({ count }: Row) => count, { width: 72 }),
  textColumn("ownerName", t("alarm.owner"), ({ ownerName }: Row) => ownerName, {
    width: 112,
    missing: t("alarm.noOwner"),
  }),
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
    t("alarm.acknowledged"),
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
        : { glyph: "unknown", label: t("alarm.pending") },
    { width: 152 },
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
  levelFilter(t),
  {
    key: "metric",
    kind: "select" as const,
    label: t("alarmRule.metric"),
    width: 144,
    options: codeOptions(t, "alarmMetric", alarmMetrics),
  },
  handledFilter(t),
  ownerFilter(t),
];

/** An alarm by itself, as the actions take it. */
const targetOf = (rows: readonly Row[]): Target => {
  const open = rows.filter(({ recoverTime }) => recoverTime === null);
  return {
    waiting: rows.filter(({ handled }) => !handled).map(({ id }) => id),
    ids: open.map(({ id }) => id),
    ownerId: sharedOwner(rows),
    isSnoozed: open.some(({ snoozedUntil }) => snoozedUntil !== null),
    snoozeKey: null,
  };
};

interface Props {
  /** What switches between the views. */
  readonly tools: ReactNode;
}

/** All alarms, the most urgent first; they open and clear while the list is shown. */
export function AlarmList({ tools }: Props) {
  const t = useAlarmTexts();
  const list = useList(alarmEventList, { every: refreshEvery });
  const selection = useSelection<Row>("id", list);
  const actions = useAlarmActions(selection.clear);
  return (
    <ListPage
      title={t("alarm.title")}
      list={list}
      rowKey="id"
      columns={columnsOf(t)}
      filters={filtersOf(t)}
      tools={tools}
      selection={selection}
      batch={(rows) => actions.of(targetOf(rows))}
      actions={(row: Row) => actions.of(targetOf([row]))}
      empty={{ text: t("alarm.noEvents") }}
    >
      {actions.dialogs}
    </ListPage>
  );
}
