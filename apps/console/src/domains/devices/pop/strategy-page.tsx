import { findingText } from "@weft/contract/domains/delivery/finding-text.ts";
import {
  popGroup,
  popStrategy,
  popStrategySites,
  type SiteStanding,
} from "@weft/contract/domains/overlay/pop-strategy.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { useCurrentLanguage } from "#client/language.ts";
import { paths, withSearch } from "#client/paths.ts";
import { type Translate, useTexts } from "#client/texts.ts";
import { refreshEvery } from "#client/use-call.ts";
import { PopNames, PopOrder } from "#domains/devices/parts/node/pop-order.tsx";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { Field } from "#kernel/form/field.tsx";
import {
  type Column,
  nameColumn,
  numberColumn,
  stateColumn,
  textColumn,
} from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { resourcePage } from "#kernel/resource-view.tsx";
import type { Glyph, StateLabel } from "#ui/glyph.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { useNarrow } from "#ui/use-narrow.ts";
import { PopTabs } from "./pop-tabs.tsx";
import { strategyMessages } from "./strategy-messages.ts";

type Site = OutputOf<typeof popStrategySites>[number];

const glyphs: Readonly<Record<SiteStanding, Glyph>> = {
  placed: "ok",
  moving: "run",
  unplaced: "warn",
};

interface Props {
  readonly strategy: RowOf<typeof popStrategy>;
  readonly onClose: () => void;
}

/** CPEs under a strategy: which of its POPs each has links with, and why one has none. */
function StrategySites({ strategy, onClose }: Props) {
  const t = useTexts(strategyMessages);
  const isNarrow = useNarrow();
  return (
    <Drawer
      open
      size={isNarrow ? "100%" : 960}
      title={t("popStrategy.sitesOf", { name: strategy.name })}
      onClose={onClose}
    >
      <SitesTable strategyId={strategy.id} />
    </Drawer>
  );
}

export function SitesTable({ strategyId }: { readonly strategyId: number }) {
  const t = useTexts(strategyMessages);
  const language = useCurrentLanguage();
  const list = useList(popStrategySites, {
    fixed: { strategyId },
    inUrl: false,
    every: refreshEvery,
  });
  return (
    <ResourceTable
      list={list}
      rowKey="id"
      columns={[
        nameColumn(
          "name",
          "CPE",
          (site: Site) => ({ text: site.name, to: paths.cpeDetail(site.id) }),
          {
            width: 160,
          },
        ),
        stateColumn("standing", t("popStrategy.standing"), ({ standing }: Site) => ({
          glyph: glyphs[standing],
          label: t(`popStrategy.${standing}`),
          ...(standing === "moving" && { hint: t("popStrategy.movingHelp") }),
        })),
        {
          key: "popIds",
          title: "POP",
          width: 200,
          cell: ({ popIds }: Site) => <PopNames ids={popIds} />,
        },
        {
          key: "leavingPopIds",
          title: t("popStrategy.leaving"),
          width: 144,
          cell: ({ leavingPopIds }: Site) => <PopNames ids={leavingPopIds} />,
        },
        textColumn(
          "findings",
          t("popStrategy.reason"),
          ({ findings }: Site) =>
            findings.map((finding) => findingText(finding, language)).join("；"),
          { width: 280 },
        ),
        textColumn("netSpaceName", t("popStrategy.space"), (site: Site) => site.netSpaceName),
        textColumn(
          "enterpriseName",
          t.field("enterpriseName"),
          (site: Site) => site.enterpriseName,
        ),
      ]}
      empty={<EmptyState kind="good" text={t("popStrategy.noSites")} />}
    />
  );
}

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
