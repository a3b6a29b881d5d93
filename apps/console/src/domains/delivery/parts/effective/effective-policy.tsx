import { recordCodes } from "@weft/contract/domains/access/record-fields.ts";
import {
  type EffectiveEntry,
  type EffectiveList,
  effectivePolicy,
  systemDefault,
} from "@weft/contract/domains/delivery/effective-policy.ts";
import { isUnsupported, policyTitle } from "@weft/contract/domains/policies/policy-finding.ts";
import { policyReasonText } from "@weft/contract/domains/policies/policy-finding-text.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import { useId } from "react";
import { useTexts } from "#client/texts.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import {
  fieldText,
  useHistoryTexts,
  valueText,
} from "#domains/delivery/parts/history/history-texts.ts";
import { useHitsColumns } from "#domains/policies/parts/hits/hits-column.tsx";
import type { PolicyOwner } from "#domains/policies/parts/policy/choices.ts";
import { policyMessages } from "#domains/policies/parts/policy/messages.ts";
import { EmptyState, Failed, Loading } from "#feedback/empty-state.tsx";
import { type Column, stateNeed, textColumn } from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { Card } from "#ui/card.tsx";
import { type Glyph, StateText } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import { Sentence } from "#ui/sentence.tsx";
import styles from "./effective-policy.module.css";

/** Everything that acts on one node. */
const effectiveMessages = defineMessages({
  "effective.title": ["生效策略", "Effective policy"],
  "effective.help": [
    "按匹配顺序列出作用于此设备的全部规则及来源，与下发的配置由同一合并得出。",
    "Every rule on this device in the order in which it is tried, and where it is from: the same merge as its configuration.",
  ],
  "effective.follows": [
    "跟随模板“{name}”版本 {version}",
    "Follows template “{name}”, version {version}",
  ],
  "effective.above": ["上级企业的模板", "a template of an enterprise above"],
  "effective.noTemplate": ["不跟随模板", "Follows no template"],
  "effective.unconfirmed": ["最新配置尚未确认", "The newest configuration is not confirmed yet"],
  "effective.none": ["没有策略作用于此设备", "No policy acts on this device"],
  "effective.place": ["顺序", "Order"],
  "effective.name": ["名称", "Name"],
  "effective.origin": ["来源", "From"],
  "effective.origin.system": ["系统", "System"],
  "effective.origin.enterprise": ["企业", "Enterprise"],
  "effective.origin.node": ["设备", "Node"],
  // Which one is said above the rows.
  "effective.origin.template": ["模板 v{version}", "Template v{version}"],
  "effective.match": ["内容", "Settings"],
  "effective.default": ["未命中任何规则：ACL 放行", "No rule matches: the ACL permits it"],
  "effective.cut": ["共 {count} 条，显示前 {shown} 条", "The first {shown} of {count}"],
  "effective.pair": ["{field}：{value}", "{field}: {value}"],
});

type Effective = OutputOf<typeof effectivePolicy>;

const useEffectiveTexts = () => useTexts(effectiveMessages, policyMessages);
type Texts = ReturnType<typeof useEffectiveTexts>;

const glyphs: Readonly<Record<EffectiveEntry["state"], Glyph>> = {
  acts: "ok",
  underway: "run",
  fallback: "warn",
  cannot: "bad",
  replaced: "off",
};

/** Everything that acts on one node, in order, with where each is from, what becomes of it and how often it fits. */
function EffectivePolicy({ owner }: { readonly owner: PolicyOwner }) {
  const t = useEffectiveTexts();
  const result = useCall(
    effectivePolicy,
    { cpeId: null, popId: null, ...owner },
    { every: refreshEvery },
  );
  const policy = result.data;
  if (result.error && !policy) return <Failed error={result.error} retry={result.refetch} />;
  if (!policy) return <Loading rows={6} />;
  const { lists } = policy;
  return (
    <>
      <p className="w-quiet">{t("effective.help")}</p>
      <Facts found={policy} t={t} />
      {lists.length === 0 && <EmptyState kind="good" text={t("effective.none")} />}
      {lists.map((list) => (
        <List key={list.family} list={list} found={policy} />
      ))}
    </>
  );
}

/** The same as a card of a page. */
export function EffectivePolicyCard({ owner }: { readonly owner: PolicyOwner }) {
  const t = useEffectiveTexts();
  return (
    <Card title={t("effective.title")}>
      <EffectivePolicy owner={owner} />
    </Card>
  );
}

const templateName = ({ template }: Effective, t: Texts): string =>
  template?.name || t("effective.above");

function Facts({ found, t }: { readonly found: Effective; readonly t: Texts }) {
  const { template, isConfirmed } = found;
  const follows = template
    ? t("effective.follows", { name: templateName(found, t), version: template.version })
    : t("effective.noTemplate");
  return (
    <div className={styles.facts}>
      <Sentence glyph={template ? "ok" : "off"} text={follows} />
      {!isConfirmed && <Sentence glyph="run" text={t("effective.unconfirmed")} />}
    </div>
  );
}

function List({ list, found }: { readonly list: EffectiveList; readonly found: Effective }) {
  const t = useEffectiveTexts();
  const heading = useId();
  const { family, isRule, count, entries } = list;
  const counted = entries.filter(({ objectId }) => objectId > 0);
  const hits = useHitsColumns<EffectiveEntry>({
    family,
    rows: counted,
    idOf: ({ objectId }) => objectId,
    nameOf: ({ name }) => name,
  });
  const columns = useColumns(list, found);
  const settingsOf = useSettingsOf(list);
  return (
    <section className={styles.list} aria-labelledby={heading} data-effective={family}>
      <h3 id={heading}>
        {policyTitle(family)[t.language === "zh_cn" ? 0 : 1]}{" "}
        <span className="w-quiet">{count}</span>
      </h3>
      {count > entries.length && (
        <p className="w-quiet">{t("effective.cut", { count, shown: entries.length })}</p>
      )}
      <PlainTable
        rows={entries}
        rowKey="key"
        columns={columns.filter(({ key }) => isRule || key !== "place").concat(hits)}
        expanded={(row) => <Whole reason={reasonOf(row, t)} settings={settingsOf(row)} t={t} />}
      />
    </section>
  );
}

/** What a row was set to, in words. */
function useSettingsOf({ family }: EffectiveList): (row: EffectiveEntry) => string {
  const t = useEffectiveTexts();
  const values = useHistoryTexts();
  const textOf = (field: string, value: unknown): string => {
    const codes = recordCodes[`${family}.${field}`];
    const isCode = typeof value === "number" || typeof value === "string";
    return (codes && isCode ? t.code(codes, value) : valueText(value, values, field)) ?? "";
  };
  return ({ fields }) =>
    t.list(
      fields.map(({ field, value }) =>
        t("effective.pair", { field: fieldText(field, values), value: textOf(field, value) }),
      ),
    );
}

interface WholeProps {
  readonly reason: string;
  readonly settings: string;
  readonly t: Texts;
}

/** What one line of a row may have no room for. */
function Whole({ reason, settings, t }: WholeProps) {
  const parts = [
    [t("policy.effect"), reason],
    [t("effective.match"), settings],
  ].filter(([, text]) => text !== "");
  return (
    <dl className="w-left-out">
      {parts.map(([title, text]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function useColumns(list: EffectiveList, found: Effective): Column<EffectiveEntry>[] {
  const t = useEffectiveTexts();
  const settings = useSettingsOf(list);
  const originOf = ({ origin }: EffectiveEntry): string =>
    t(`effective.origin.${origin}`, { version: found.template?.version ?? 0 });
  return [
    {
      key: "place",
      title: t("effective.place"),
      width: 64,
      align: "right",
      cell: ({ place }) => place ?? <Missing />,
    },
    {
      key: "name",
      title: t("effective.name"),
      width: 160,
      part: "name",
      cell: ({ name }) => (name === systemDefault ? t("effective.default") : name),
    },
    textColumn("origin", t("effective.origin"), originOf, { width: 128 }),
    {
      key: "state",
      title: t("policy.effect"),
      width: 232,
      narrowest: 112,
      need: (row) => stateNeed(stateText(row, t)),
      cell: (row) => <State row={row} t={t} />,
    },
    textColumn("settings", t("effective.match"), settings, { width: 320 }),
  ];
}

const reasonOf = ({ finding }: EffectiveEntry, t: Texts): string =>
  finding ? policyReasonText(finding, t.language) : "";

const stateText = (row: EffectiveEntry, t: Texts): string =>
  [t(`policy.effect.${row.state}`), reasonOf(row, t)].filter((text) => text !== "").join(" · ");

/** What the product or the device does not do yet is nothing to mend at the site. */
const glyphOf = ({ state, finding }: EffectiveEntry): Glyph =>
  finding && isUnsupported(finding.reason) ? "unsupported" : glyphs[state];

/** In one line, as all rows; the row opens to a reason that is cut. */
function State({ row, t }: { readonly row: EffectiveEntry; readonly t: Texts }) {
  const reason = reasonOf(row, t);
  return (
    <span className="w-cut" title={stateText(row, t)}>
      <StateText glyph={glyphOf(row)} label={t(`policy.effect.${row.state}`)} />
      {reason !== "" && <span className="w-quiet"> · {reason}</span>}
    </span>
  );
}
