import { nodeFindings, policyTitle } from "@weft/contract/domains/policies/policy-finding.ts";
import { policyReasonText } from "@weft/contract/domains/policies/policy-finding-text.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import type { ReactNode } from "react";
import { useTexts } from "#client/texts.ts";
import { refreshEvery } from "#client/use-call.ts";
import { EmptyState, Loading } from "#feedback/empty-state.tsx";
import { later } from "#feedback/later.tsx";
import { type Column, stateColumn, timeColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { type List, useList } from "#kernel/list/use-list.ts";
import type { PolicyOwner } from "./choices.ts";
import { policyMessages } from "./messages.ts";
import { type sectionGroups, sectionTitle, templateSections } from "./section-list.ts";
import { type PolicySectionKey, policySections } from "./sections.ts";

type Row = OutputOf<typeof nodeFindings>[number];

const glyphs = { cannot: "bad", fallback: "warn", replaced: "off" } as const;

/** Policy objects of a node, its own and its template's, that are not applied as configured. */
const usePolicyFindings = (owner: PolicyOwner) =>
  useList(nodeFindings, { fixed: owner as never, every: refreshEvery, inUrl: false });

function PolicyFindings({ list }: { readonly list: List<Row> }) {
  const t = useTexts(policyMessages);
  const columns: Column<Row>[] = [
    {
      key: "name",
      title: t("policy.object"),
      pinned: "left",
      part: "name",
      width: 160,
      cell: ({ name }) => name,
    },
    {
      key: "family",
      title: t("policy.family"),
      width: 192,
      cell: ({ family }) => policyTitle(family)[t.language === "zh_cn" ? 0 : 1],
    },
    {
      key: "level",
      title: t("policy.level"),
      width: 112,
      cell: ({ level }) => t(`policy.level.${level}`),
    },
    stateColumn(
      "effect",
      t("policy.effect"),
      (row) => ({ glyph: glyphs[row.effect], label: t(`policy.effect.${row.effect}`) }),
      { width: 136 },
    ),
    {
      key: "reason",
      title: t("policy.reason"),
      width: 280,
      cell: (row) => policyReasonText(row, t.language),
    },
    timeColumn("since", t("policy.since"), ({ createTime }) => createTime, { form: "since" }),
  ];
  return (
    <ResourceTable
      list={list}
      rowKey="id"
      columns={columns}
      empty={<EmptyState kind="good" text={t("policy.allAct")} />}
    />
  );
}

/** One of the sections of a node, of policy objects or of its own settings. */
export interface SettingsSection {
  readonly key: string;
  readonly label: string;
  readonly group: (typeof sectionGroups)[number];
  /** Rows of the section; null while unknown; undefined: it is no list. */
  readonly count: number | null | undefined;
  readonly body: () => ReactNode;
}

/** A node has lines and LANs of its own in place of a template's. */
const ofTemplates = new Set<string>(["interface", "wan", "lan"]);

const isPolicySection = (key: string): key is PolicySectionKey => key in policySections;

/** Its tables with their columns and forms are fetched when the first section is opened. */
const PolicySection = later(
  async () => (await import("./policy-section.tsx")).PolicySection,
  <Loading rows={4} />,
);

/** Sections of policy objects that a CPE or POP holds itself (the calls under `manage/`). */
export const useNodePolicySections = (
  owner: PolicyOwner,
  may: Permission,
): (SettingsSection & { readonly may: Permission })[] => {
  const t = useTexts(policyMessages);
  const findings = usePolicyFindings(owner);
  const effects = {
    key: "policy-effect",
    label: t("policy.effects"),
    group: "policy" as const,
    may,
    count: findings.count,
    body: () => <PolicyFindings list={findings} />,
  };
  const families = templateSections.flatMap(({ key, group }) =>
    isPolicySection(key) && !ofTemplates.has(key)
      ? [
          {
            // The DNS entries of a CPE have a section of that name.
            key: `policy-${key}`,
            label: key === "dns" ? t("policy.dnsControl") : sectionTitle(key, t.language),
            group,
            may,
            count: undefined,
            body: () => <PolicySection section={key} owner={owner} may={may} />,
          },
        ]
      : [],
  );
  return [effects, ...families];
};
