import { popGroup, popStrategy } from "@weft/contract/domains/overlay/pop-strategy.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { paths, withSearch } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { PopNames, PopOrder } from "#domains/devices/parts/node/pop-order.tsx";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { Field } from "#kernel/form/field.tsx";
import { type Column, nameColumn, numberColumn, textColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { PopTabs } from "./pop-tabs.tsx";
import { strategyMessages } from "./strategy-messages.ts";

type Strategy = RowOf<typeof popStrategy>;
type Group = RowOf<typeof popGroup>;

const popsColumn = <Row extends { readonly popIds: readonly number[] }>(
  title: string,
): Column<Row> => ({
  key: "popIds",
  title,
  width: 320,
  cell: (row) => <PopNames ids={row.popIds} />,
});

const groupsPath = (strategyId: number): string =>
  withSearch(paths.pop(), { tab: "groups", strategyId });

function PopsField() {
  const t = useTexts(strategyMessages);
  return (
    <Field name="popIds" help={t("popStrategy.order")}>
      {(control) => <PopOrder control={control} />}
    </Field>
  );
}

function StrategyForm() {
  return (
    <>
      <Field name="name" />
      <PopsField />
      <Field name="groupid" kind={EnterpriseControl} />
      <Field name="remark" />
    </>
  );
}

function GroupForm() {
  return (
    <>
      <Field name="name" />
      <Field name="strategyId" kind="combo" endpoint={popStrategy.ops.combo} />
      <PopsField />
    </>
  );
}

/** Which POPs enterprises may use, the most wanted first. */
export const StrategyPage = resourcePage(popStrategy, function useStrategies() {
  const t = useTexts(strategyMessages);
  return {
    title: t("popStrategy.title"),
    addLabel: t("popStrategy.add"),
    empty: t("popStrategy.empty"),
    nameOf: (row) => row.name,
    columns: [
      nameColumn("name", t.field("name"), (row: Strategy) => ({ text: row.name }), { sort: true }),
      popsColumn<Strategy>(t.field("popIds")),
      numberColumn("groups", t("popStrategy.groups"), (row: Strategy) => row.groups),
      numberColumn("users", t("popStrategy.users"), (row: Strategy) => row.users),
      textColumn(
        "enterpriseName",
        t.field("enterpriseName"),
        (row: Strategy) => row.enterpriseName,
      ),
      "remark",
    ],
    filters: [{ key: "name", kind: "text", label: t("popStrategy.search") }],
    form: {
      initial: { name: "", popIds: [], groupid: null, remark: "" },
      body: () => <StrategyForm />,
    },
    actions: (row, { edit, remove }) => [
      { key: "groups", label: t("popStrategy.groups"), to: groupsPath(row.id) },
      edit,
      remove,
    ],
    removal: { body: () => t("popStrategy.removeBody") },
    touches: ["popGroup", "enterprise"],
    tools: <PopTabs />,
  };
});

/** POPs of a strategy that belong together. */
export const GroupPage = resourcePage(popGroup, function useGroups() {
  const t = useTexts(strategyMessages);
  return {
    title: t("popGroup.title"),
    addLabel: t("popGroup.add"),
    empty: t("popGroup.empty"),
    nameOf: (row) => row.name,
    columns: [
      nameColumn("name", t.field("name"), (row: Group) => ({ text: row.name }), { sort: true }),
      textColumn("strategyName", t.field("strategyName"), (row: Group) => row.strategyName),
      popsColumn<Group>(t.field("popIds")),
    ],
    form: { initial: { name: "", popIds: [] }, body: () => <GroupForm /> },
    removal: { body: () => t("popGroup.removeBody") },
    touches: ["popStrategy"],
    tools: <PopTabs />,
  };
});
