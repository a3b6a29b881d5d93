import { policyTitle } from "@weft/contract/domains/policies/policy-finding.ts";
import {
  routerTemplateVersionList,
  type TemplateVersionRow,
} from "@weft/contract/domains/templates/template-version.ts";
import { useState } from "react";
import { type Translate, useTexts } from "#client/texts.ts";
import { refreshEvery } from "#client/use-call.ts";
import type { Column } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { StateText } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { TimeText } from "#ui/time-text.tsx";
import type { TemplateChoice } from "./use-template.ts";
import { type Compared, VersionComparison } from "./version-comparison.tsx";
import { versionMessages } from "./version-messages.ts";

export interface VersionsProps {
  readonly template: TemplateChoice;
  readonly onClose: () => void;
  /** Opens the review of an issue of this version. */
  readonly onIssue: (version: number) => void;
}

/** Versions of a template: who published what when and where it acts; compared, restored and published again. */
export function TemplateVersions({ template, onClose, onIssue }: VersionsProps) {
  const t = useTexts(versionMessages);
  const [compared, compare] = useState<Compared | null>(null);
  const { templateId, templateName: name } = template;
  if (compared)
    return (
      <VersionComparison
        templateId={templateId}
        compared={compared}
        onChange={compare}
        onBack={() => compare(null)}
        onClose={onClose}
      />
    );
  return (
    <Drawer open size={720} title={t("version.title", { name })} onClose={onClose}>
      <p className="w-quiet">{t("version.help")}</p>
      <Versions templateId={templateId} onCompare={compare} onIssue={onIssue} />
    </Drawer>
  );
}

interface ListProps {
  readonly templateId: number;
  readonly onCompare: (compared: Compared) => void;
  readonly onIssue: (version: number) => void;
}

function Versions({ templateId, onCompare, onIssue }: ListProps) {
  const t = useTexts(versionMessages);
  const list = useList(routerTemplateVersionList, {
    fixed: { templateId },
    inUrl: false,
    every: refreshEvery,
  });
  const actions = ({ version }: TemplateVersionRow): RowAction[] => [
    {
      key: "compare",
      label: t("version.compare"),
      may: "routerTemplateView",
      // What it changed; the first one changed nothing that was published.
      run: () =>
        onCompare({
          from: version > 1 ? version - 1 : version,
          to: version > 1 ? version : null,
          restores: false,
        }),
    },
    {
      key: "restore",
      label: t("version.restoreRow"),
      may: "routerTemplateEdit",
      run: () => onCompare({ from: null, to: version, restores: true }),
    },
    {
      key: "issue",
      label: t("version.issue"),
      may: "routerTemplateEdit",
      run: () => onIssue(version),
    },
  ];
  return (
    <ResourceTable
      list={list}
      rowKey="version"
      columns={columnsOf(t)}
      actions={actions}
      empty={t("version.empty")}
    />
  );
}

type Texts = Translate<keyof typeof versionMessages>;

/** Why a version is not simply what CPEs follow; null: it is. */
function markOf(t: Texts, { isBad, rolloutState: state }: TemplateVersionRow) {
  if (isBad) return <StateText glyph="bad" label={t.field("isBad")} />;
  if (state === null || state === "completed") return null;
  const isBack = state === "rolledBack";
  const label = t(isBack ? "version.rolledBack" : "version.inWaves");
  return <StateText glyph={isBack ? "off" : "run"} label={label} />;
}

const columnsOf = (t: Texts): Column<TemplateVersionRow>[] => [
  {
    key: "version",
    title: t("version.number"),
    width: 88,
    part: "name",
    cell: (row) => (
      <>
        {row.version}
        {markOf(t, row)}
      </>
    ),
  },
  {
    key: "createTime",
    title: t("version.published"),
    width: 168,
    cell: ({ createTime, createBy }) => (
      <>
        <TimeText value={createTime} />
        {createBy !== null && <div className="w-quiet">{createBy}</div>}
      </>
    ),
  },
  {
    key: "contents",
    title: t("version.contents"),
    width: 104,
    cell: (row) => <Contents row={row} t={t} />,
  },
  {
    key: "effect",
    title: t("version.effect"),
    width: 80,
    cell: ({ acts, cpes }) =>
      cpes === 0 ? <Missing reason={t("version.noCpe")} /> : t("version.acts", { acts, cpes }),
  },
];

function Contents({ row, t }: { readonly row: TemplateVersionRow; readonly t: Texts }) {
  const at = t.language === "zh_cn" ? 0 : 1;
  const each = row.families.map(({ family, count }) => `${policyTitle(family)[at]} ${count}`);
  return (
    <span title={t.list(each)}>
      {t("version.objects", { count: row.objects })}
      {row.sameAs !== null && (
        <div className="w-quiet">{t("version.sameAs", { version: row.sameAs })}</div>
      )}
    </span>
  );
}
