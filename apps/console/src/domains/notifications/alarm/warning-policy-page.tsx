import { pop } from "@weft/contract/domains/devices/pop.ts";
import { alarmStrategy, alarmStrategyShare } from "@weft/contract/domains/notifications/alarm.ts";
import { messageReceive } from "@weft/contract/domains/notifications/message-receive.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { Navigate, useSearchParams } from "react-router";
import { paths, withSearch } from "#client/paths.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { useAction } from "#feedback/use-action.ts";
import { Field, type FieldControl } from "#kernel/form/field.tsx";
import { type Column, nameColumn, numberColumn, textColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { enableColumn } from "#parts/enable-column.tsx";
import { CpeChoice } from "#parts/fields/cpe-choice.tsx";
import { ManyChoice } from "#parts/fields/many-choice.tsx";
import { type AlarmTexts, useAlarmTexts } from "./alarm-text.ts";
import { PolicyRules } from "./policy-rules.tsx";

type Ids = FieldControl<readonly number[]>;

interface Named {
  readonly id: number;
  readonly name: string;
}
const optionsOf = (rows: readonly Named[] = []) =>
  rows.map(({ id, name }) => ({ value: id, label: name }));

const anyone = { name: null, groupid: null, orderByColumn: "name", isAsc: "asc" } as const;

/** What is watched and who is notified. */
function PolicyFields() {
  const t = useAlarmTexts();
  const pops = useCall(pop.ops.combo, {});
  const receivers = useCall(messageReceive.ops.list, { ...anyone, page: 1, limit: 1_000 });
  return (
    <>
      <Field name="name" />
      <Field name="groupid" kind={EnterpriseControl} />
      <Field name="cpeIds" help={t("alarmPolicy.nodesHelp")}>
        {(control) => <CpeChoice control={control as Ids} />}
      </Field>
      <Field name="popIds">
        {(control) => (
          <ManyChoice inOneLine control={control as Ids} options={optionsOf(pops.data)} />
        )}
      </Field>
      <Field name="recipientIds" help={t("alarmPolicy.recipientsHelp")}>
        {(control) => (
          <ManyChoice inOneLine control={control as Ids} options={optionsOf(receivers.data)} />
        )}
      </Field>
      <Field name="enable" label={t.code("enable", true)} />
      <Field name="remark" />
    </>
  );
}

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
const AlarmPolicies = resourcePage(
  alarmStrategy,
  function usePolicies({ open }) {
    const t = useAlarmTexts();
    const share = useAction(alarmStrategyShare);
    return {
      title: t("alarmPolicy.title"),
      addLabel: t("alarmPolicy.add"),
      empty: t("alarmPolicy.empty"),
      nameOf: (row) => row.name,
      columns: columnsOf(t),
      filters: [
        { key: "name", kind: "text", label: t("alarmPolicy.search") },
        { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
      ],
      form: {
        initial: newPolicy,
        editTitle: (row) => t("alarmPolicy.edit", { name: row.name }),
        body: () => <PolicyFields />,
        // A policy without rules raises nothing: they are the next step of a new one.
        onSaved: (id, added) => added && open("rules", id),
      },
      actions: (row, { edit, remove }) => [
        { key: "rules", label: t("alarmPolicy.rules"), run: () => open("rules", row.id) },
        edit,
        {
          key: "share",
          label: t(row.share ? "alarmPolicy.unshare" : "alarmPolicy.share"),
          may: "strategyShare",
          run: () => void share.act({ id: row.id, share: !row.share }),
        },
        remove,
      ],
      removal: { body: () => t("alarmPolicy.removeBody") },
      touches: ["alarmRule", "alarmEvent", "messageReceive"],
      dialogs: ({ what }, row, close) =>
        what === "rules" && row && <PolicyRules policy={row} onClose={close} />,
    };
  },
  () => ({ every: refreshEvery }),
);

/** What is watched, and who is notified (section 2.3). */
export default function WarningPolicyPage() {
  const [search] = useSearchParams();
  if (search.get("tab") !== "events") return <AlarmPolicies />;
  // Messages of earlier versions lead to this address: alarms have a screen of their own since.
  const { tab: _, ...filters } = Object.fromEntries(search);
  return <Navigate to={withSearch(paths.alarms(), filters)} replace />;
}
