import { nodeFindings, policyTitle } from "@weft/contract/domains/policies/policy-finding.ts";
import { policyReasonText } from "@weft/contract/domains/policies/policy-finding-text.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { useTexts } from "#client/texts.ts";
import { refreshEvery } from "#client/use-call.ts";
import { EmptyState } from "#feedback/empty-state.tsx";
import { type Column, stateColumn, timeColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { type List, useList } from "#kernel/list/use-list.ts";
import type { PolicyOwner } from "./choices.ts";
import { policyMessages } from "./messages.ts";

type Row = OutputOf<typeof nodeFindings>[number];

const glyphs = { cannot: "bad", fallback: "warn", replaced: "off" } as const;

/** Policy objects of a node, its own and its template's, that are not applied as configured. */
export const usePolicyFindings = (owner: PolicyOwner) =>
  useList(nodeFindings, { fixed: owner as never, every: refreshEvery, inUrl: false });

export function PolicyFindings({ list }: { readonly list: List<Row> }) {
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
