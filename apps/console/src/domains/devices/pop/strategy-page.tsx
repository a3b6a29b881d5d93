import { popGroup, popStrategy } from "@weft/contract/domains/overlay/pop-strategy.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { paths, withSearch } from "#client/paths.ts";
import { type Translate, useTexts } from "#client/texts.ts";
import { refreshEvery } from "#client/use-call.ts";
import { PopNames, PopOrder } from "#domains/devices/parts/node/pop-order.tsx";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { Field } from "#kernel/form/field.tsx";
import {
  type Column,
  nameColumn,
  numberColumn,
  stateColumn,
  textColumn,
} from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import type { StateLabel } from "#ui/glyph.tsx";
import { PopTabs } from "./pop-tabs.tsx";
import { strategyMessages } from "./strategy-messages.ts";
import { StrategySites } from "./strategy-sites.tsx";

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

/** What most deserves attention of a strategy. */
function standingOf(
  { sites, moving, unplaced }: Strategy,
  t: Translate<keyof typeof strategyMessages>,
): StateLabel {
  if (unplaced > 0) {
    return { glyph: "warn", label: t("popStrategy.standingUnplaced", { count: unplaced }) };
  }
  if (moving > 0) {
    const label = t("popStrategy.standingMoving", { count: moving });
    return { glyph: "run", label, hint: t("popStrategy.movingHelp") };
  }
  return sites > 0
    ? { glyph: "ok", label: t("popStrategy.standingPlaced") }
    : { glyph: "off", label: t("popStrategy.standingUnused") };
}

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
export const StrategyPage = resourcePage(
  popStrategy,
  function useStrategies({ open }) {
    const t = useTexts(strategyMessages);
    return {
      title: t("popStrategy.title"),
      addLabel: t("popStrategy.add"),
      empty: t("popStrategy.empty"),
      nameOf: (row) => row.name,
      columns: [
        nameColumn("name", t.field("name"), (row: Strategy) => ({ text: row.name }), {
          sort: true,
        }),
        stateColumn("standing", t("popStrategy.standing"), (row: Strategy) => standingOf(row, t), {
          width: 176,
        }),
        popsColumn<Strategy>(t.field("popIds")),
        numberColumn("sites", t("popStrategy.sites"), (row: Strategy) => row.sites),
        numberColumn("links", t("popStrategy.links"), (row: Strategy) => row.links),
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
        { key: "sites", label: t("popStrategy.sites"), run: () => open("sites", row.id) },
        { key: "groups", label: t("popStrategy.groups"), to: groupsPath(row.id) },
        edit,
        remove,
      ],
      removal: { body: () => t("popStrategy.removeBody") },
      touches: ["popGroup", "enterprise", "link"],
      tabs: <PopTabs />,
      dialogs: ({ what }, row, close) =>
        what === "sites" && row && <StrategySites strategy={row} onClose={close} />,
    };
  },
  () => ({ every: refreshEvery }),
);

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
    tabs: <PopTabs />,
  };
});
