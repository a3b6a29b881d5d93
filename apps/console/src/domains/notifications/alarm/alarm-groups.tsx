import {
  alarmEventGroups,
  alarmEventList,
} from "@weft/contract/domains/notifications/alarm-event.ts";
import type { AlarmView } from "@weft/contract/domains/notifications/enums.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { paths } from "#client/paths.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { levelGlyph } from "#domains/notifications/parts/alarm/level-glyph.ts";
import {
  type CauseTexts,
  causeExtent,
  causeSentence,
  evidencePath,
  useCauseTexts,
} from "#domains/notifications/parts/cause/cause.ts";
import { Await } from "#feedback/await.tsx";
import {
  type Column,
  nameColumn,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { RowActions } from "#kernel/list/row-actions.tsx";
import { type List, useList } from "#kernel/list/use-list.ts";
import { useSelection } from "#kernel/list/use-selection.ts";
import { StateText } from "#ui/glyph.tsx";
import { TimeText } from "#ui/time-text.tsx";
import { type Target, useAlarmActions } from "./alarm-actions.tsx";
import { handledFilter, levelFilter, ownerFilter, sharedOwner } from "./alarm-filters.ts";
import styles from "./alarm-groups.module.css";
import { type AlarmTexts, useAlarmTexts } from "./alarm-text.ts";

type Group = OutputOf<typeof alarmEventGroups>[number];
type Alarm = OutputOf<typeof alarmEventList>[number];
type GroupList = List<
  Group,
  Pick<InputOf<typeof alarmEventList>, "name" | "level" | "handled" | "owner">
>;
type Actions = ReturnType<typeof useAlarmActions>;

/** Alarms of a group that are shown at a time. */
const shownAlarms = 20;

/** One node says what its alarm is; what concerns several says the cause. */
const sentenceOf = (group: Group, texts: CauseTexts): string =>
  group.kind === "node" ? group.content : causeSentence(group, texts);

const columnsOf = (t: AlarmTexts, texts: CauseTexts, view: AlarmView): Column<Group>[] => [
  stateColumn(
    "level",
    t.field("level"),
    ({ level }: Group) => ({ glyph: levelGlyph[level], label: t.code("alarmLevel", level) }),
    { width: 112 },
  ),
  {
    ...nameColumn(
      "content",
      t("alarm.what"),
      (group: Group) => ({
        text: sentenceOf(group, texts),
        to: evidencePath(group),
        note: causeExtent(group, texts).join(" · "),
      }),
      { width: 400 },
    ),
    // A sentence that is cut says nothing.
    narrowest: 320,
  },
  numberColumn("alarms", t("alarm.alarms"), ({ alarmIds }: Group) => alarmIds.length, {
    width: 80,
  }),
  timeColumn("since", t("alarm.since"), ({ since }: Group) => since, { form: "since" }),
  ...(view === "active"
    ? [
        stateColumn(
          "waiting",
          t("alarm.acknowledged"),
          ({ waiting }: Group) =>
            waiting === 0
              ? ({ glyph: "ok", label: t("alarm.handled") } as const)
              : ({ glyph: "unknown", label: t("alarm.waiting", { count: waiting }) } as const),
          { width: 152 },
        ),
      ]
    : [
        timeColumn("until", t("alarm.untilField"), ({ until }: Group) => until, {
          form: "stamp",
          width: 176,
        }),
        textColumn("notes", t.field("remark"), ({ notes }: Group) => notes.join("; "), {
          width: 200,
        }),
      ]),
  textColumn("owners", t("alarm.owner"), ({ owners }: Group) => owners.join(", "), {
    width: 112,
    missing: t("alarm.noOwner"),
  }),
];

const filtersOf = (t: AlarmTexts) => [
  { key: "name", kind: "text" as const, label: t("alarm.node") },
  levelFilter(t),
  handledFilter(t),
  ownerFilter(t),
];

const targetOf = (groups: readonly Group[], view: AlarmView): Target => {
  const ids = groups.flatMap(({ alarmIds }) => alarmIds);
  const [first] = groups;
  return {
    ids,
    // One that was acknowledged keeps its first author.
    waiting: groups.some(({ waiting }) => waiting > 0) ? ids : [],
    ownerId: sharedOwner(groups),
    isSnoozed: view === "snoozed",
    snoozeKey: groups.length === 1 ? (first?.snoozeKey ?? null) : null,
  };
};

interface Props {
  readonly view: AlarmView;
  /** What switches between the views. */
  readonly tools: ReactNode;
}

/** Active alarms by cause; a group opens to its alarms, and actions take it or one of them. */
export function AlarmGroups({ view, tools }: Props) {
  const t = useAlarmTexts();
  const texts = useCauseTexts();
  const list = useList(alarmEventGroups, { every: refreshEvery });
  const selection = useSelection<Group>("id", list);
  const actions = useAlarmActions(selection.clear);
  return (
    <ListPage
      title={t("alarm.title")}
      total={useTotal(list, view, t)}
      list={list}
      rowKey="id"
      columns={columnsOf(t, texts, view)}
      filters={filtersOf(t)}
      tools={tools}
      selection={selection}
      batch={(groups) => actions.of(targetOf(groups, view))}
      actions={(group: Group) => actions.of(targetOf([group], view))}
      expanded={(group) => <Alarms group={group} actions={actions} view={view} />}
      empty={{ text: t(`alarm.none.${view}`) }}
    >
      {actions.dialogs}
    </ListPage>
  );
}

const alarmPath = ({ cpeId, popId }: Alarm): string =>
  popId === null ? paths.cpeDetail(cpeId ?? 0) : paths.popDetail(popId);

/** "6 groups, 24 alarms": the menu counts alarms. null: not known yet. */
function useTotal(
  { filters, count: groups }: GroupList,
  view: AlarmView,
  t: AlarmTexts,
): string | null {
  const { name, level, handled, owner } = filters;
  const { count: alarms } = useCall(
    alarmEventList,
    { ...anyAlarm, name, level, handled, owner, view, limit: 1 },
    { every: refreshEvery, keep: true },
  );
  if (groups === 0) return "0";
  return groups === null || alarms === null ? null : t("alarm.total", { groups, alarms });
}

interface AlarmsProps {
  readonly group: Group;
  readonly actions: Actions;
  readonly view: AlarmView;
}

/** The list of alarms without a filter. */
const anyAlarm = {
  ids: null,
  cpeId: null,
  popId: null,
  name: null,
  level: null,
  metric: null,
  handled: null,
  owner: null,
  view: null,
  active: null,
  startTime: null,
  endTime: null,
  page: 1,
  orderByColumn: null,
  isAsc: null,
} as const;

/** The alarms of a group, the most urgent first. */
function Alarms({ group: { alarmIds }, actions, view }: AlarmsProps) {
  const t = useAlarmTexts();
  const [count, setCount] = useState(shownAlarms);
  const ids = alarmIds.slice(0, count);
  const result = useCall(alarmEventList, { ...anyAlarm, ids, limit: count }, { keep: true });
  return (
    <>
      <Await result={result} rows={ids.length}>
        {(rows) => (
          <ul className={styles.alarms}>
            {rows.map((row) => (
              <AlarmOf key={row.id} row={row} actions={actions} view={view} />
            ))}
          </ul>
        )}
      </Await>
      {count < alarmIds.length && (
        <Button type="link" size="small" onClick={() => setCount(count + 4 * shownAlarms)}>
          {t("alarm.more", { count: alarmIds.length - count })}
        </Button>
      )}
    </>
  );
}

interface AlarmProps {
  readonly row: Alarm;
  readonly actions: Actions;
  readonly view: AlarmView;
}

function AlarmOf({ row, actions, view }: AlarmProps) {
  const t = useAlarmTexts();
  return (
    <li>
      <StateText glyph={levelGlyph[row.level]} label={t.code("alarmLevel", row.level)} />
      <Link className="w-link" to={alarmPath(row)}>
        {row.content}
      </Link>
      <span className="w-quiet">
        <TimeText value={row.createTime} form="since" />
        {row.ownerName !== "" && ` · ${row.ownerName}`}
        {row.handled && ` · ${t("alarm.handled")}`}
      </span>
      <RowActions
        actions={actions.of({
          ids: [row.id],
          waiting: row.handled ? [] : [row.id],
          ownerId: row.ownerId,
          isSnoozed: view === "snoozed",
          snoozeKey: null,
        })}
      />
    </li>
  );
}
