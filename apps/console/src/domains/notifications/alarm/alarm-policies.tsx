import { alarmStrategy, alarmStrategyShare } from "@weft/contract/domains/notifications/alarm.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { useOpened } from "#client/opened.ts";
import { refreshEvery } from "#client/use-call.ts";
import { EnterpriseFilter } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { useAction } from "#feedback/use-action.ts";
import { useRemove } from "#feedback/use-remove.ts";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { type Column, nameColumn, numberColumn, textColumn } from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { enableColumn } from "#parts/enable-column.tsx";
import { AlarmTabs } from "./alarm-tabs.tsx";
import { type AlarmTexts, useAlarmTexts } from "./alarm-words.ts";
import { PolicyFields } from "./policy-fields.tsx";
import { PolicyRules } from "./policy-rules.tsx";

type Row = RowOf<typeof alarmStrategy>;

const columnsOf = (t: AlarmTexts): Column<Row>[] => [
  nameColumn(
    "name",
    t.field("name"),
    (row: Row) => ({ text: row.name, ...(row.share && { note: t("alarmPolicy.shared") }) }),
    { sort: true },
  ),
  enableColumn(t),
  textColumn(
    "watches",
    t("alarmPolicy.watches"),
    ({ cpeIds, popIds }: Row) =>
      cpeIds.length + popIds.length === 0
        ? t("alarmPolicy.allNodes")
        : t("alarmPolicy.nodes", { cpes: cpeIds.length, pops: popIds.length }),
    { width: 240 },
  ),
  numberColumn("rules", t("alarmPolicy.rules"), ({ rules }: Row) => rules, { width: 80 }),
  numberColumn(
    "recipients",
    t.field("recipientIds"),
    ({ recipientIds }: Row) => recipientIds.length,
    {
      width: 96,
    },
  ),
  numberColumn("active", t("alarmPolicy.activeCount"), ({ active }: Row) => active, { width: 112 }),
  textColumn("enterpriseName", t.field("enterpriseName"), (row: Row) => row.enterpriseName, {
    width: 160,
  }),
  textColumn("remark", t.field("remark"), ({ remark }: Row) => remark, { optional: true }),
];

const newPolicy = {
  name: "",
  groupid: null,
  enable: true,
  cpeIds: [],
  popIds: [],
  recipientIds: [],
  remark: "",
};

/** Which nodes are watched, by which rules, and who is notified. */
export function AlarmPolicies() {
  const t = useAlarmTexts();
  const list = useResourceList(alarmStrategy, { every: refreshEvery });
  const { opened, open, close } = useOpened();
  const share = useAction(alarmStrategyShare);
  const remove = useRemove(alarmStrategy, {
    title: ([row]) => t("removal.title", { name: row.name }),
    body: () => t("alarmPolicy.removeBody"),
    touches: ["alarmRule", "alarmEvent", "messageReceive"],
  });
  const row = list.rows.find(({ id }) => id === opened?.id) ?? null;
  const isEditing = opened?.what === "edit" && row !== null;
  const add = { label: t("alarmPolicy.add"), may: "strategyAdd" as const, run: () => open("add") };
  return (
    <ListPage
      title={t("alarm.tab.policies")}
      list={list}
      rowKey="id"
      columns={columnsOf(t)}
      filters={[
        { key: "name", kind: "text", label: t("alarmPolicy.search") },
        { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
      ]}
      tools={<AlarmTabs />}
      add={add}
      empty={{ text: t("alarmPolicy.empty"), action: add }}
      actions={(one: Row) => [
        { key: "rules", label: t("alarmPolicy.rules"), run: () => open("rules", one.id) },
        { key: "edit", label: t("act.edit"), may: "strategyEdit", run: () => open("edit", one.id) },
        {
          key: "share",
          label: t(one.share ? "alarmPolicy.unshare" : "alarmPolicy.share"),
          may: "strategyShare",
          run: () => void share.act({ id: one.id, share: !one.share }),
        },
        {
          key: "remove",
          label: t("act.remove"),
          may: "strategyRemove",
          danger: true,
          run: () => void remove([one]),
        },
      ]}
    >
      <ResourceForm
        resource={alarmStrategy}
        open={opened?.what === "add" || isEditing}
        row={isEditing ? row : null}
        title={isEditing && row ? t("alarmPolicy.edit", { name: row.name }) : t("alarmPolicy.add")}
        initial={newPolicy}
        touches={["messageReceive"]}
        onClose={close}
        // A policy without rules raises nothing: they are the next step.
        onSaved={(id) => (isEditing ? close() : open("rules", id))}
      >
        <PolicyFields />
      </ResourceForm>
      {opened?.what === "rules" && row && <PolicyRules policy={row} onClose={close} />}
    </ListPage>
  );
}
