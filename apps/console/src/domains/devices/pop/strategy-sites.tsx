import { findingText } from "@weft/contract/domains/delivery/finding-text.ts";
import {
  type popStrategy,
  popStrategySites,
  type SiteStanding,
} from "@weft/contract/domains/overlay/pop-strategy.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { useCurrentLanguage } from "#client/language.ts";
import { paths } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { refreshEvery } from "#client/use-call.ts";
import { PopNames } from "#domains/devices/parts/node/pop-order.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { nameColumn, stateColumn, textColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useList } from "#kernel/list/use-list.ts";
import type { Glyph } from "#ui/glyph.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { useNarrow } from "#ui/use-narrow.ts";
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
export function StrategySites({ strategy, onClose }: Props) {
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
