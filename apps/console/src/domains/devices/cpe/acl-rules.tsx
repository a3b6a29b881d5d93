import { aclActions, aclProtocols } from "@weft/contract/domains/devices/settings-enums.ts";
import { aclRule, aclRuleClear } from "@weft/contract/domains/policies/acl-rule.ts";
import { aclSummary } from "@weft/contract/domains/policies/policy-finding.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import Button from "antd/es/button";
import { useOpened } from "#client/opened.ts";
import { May } from "#client/session.tsx";
import { codeOptions } from "#client/texts.ts";
import type { NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { SectionFrame } from "#domains/devices/parts/node/node-settings.tsx";
import { useHitsColumns } from "#domains/policies/parts/hits/hits-column.tsx";
import { useRuleEffectColumn } from "#domains/policies/parts/policy/policy-effect.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { useAction } from "#feedback/use-action.ts";
import { useRemove } from "#feedback/use-remove.ts";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { type Column, nameColumn, stateColumn, textColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import type { List } from "#kernel/list/use-list.ts";
import { ListFiles } from "#parts/import/list-files.tsx";
import { type SiteTexts, useSiteTexts } from "./site-texts.ts";

export type AclRow = RowOf<typeof aclRule>;
type AclDraft = DraftOf<typeof aclRule>;
const touches = ["nodeState", "task"];

const newRule = (nCpeID: number): AclDraft => ({
  nCpeID,
  nEnable: true,
  nSection: 10,
  sort: 0,
  name: "",
  action: 0,
  protocol: "any",
  srcIp: null,
  dstIp: null,
  srcPort: null,
  dstPort: null,
  remark: "",
});

const hasPorts = ({ protocol }: Pick<AclDraft, "protocol">): boolean =>
  protocol === "tcp" || protocol === "udp";

/** Ports belong to TCP and UDP only. */
const cleaned = (draft: AclDraft): AclDraft =>
  hasPorts(draft) ? draft : { ...draft, srcPort: null, dstPort: null };

const end = (ip: string | null, port: string | null, any: string): string =>
  port === null ? (ip ?? any) : `${ip ?? any} : ${port}`;

const columnsOf = (t: SiteTexts, effect: Column<AclRow>): Column<AclRow>[] => [
  {
    key: "nSection",
    title: t.field("nSection"),
    align: "right",
    width: 96,
    sort: "nSection",
    cell: (row) => row.nSection,
  },
  nameColumn("name", t.field("name"), (row: AclRow) => ({ text: row.name }), { width: 160 }),
  stateColumn(
    "action",
    t.field("action"),
    (row: AclRow) => ({
      glyph: row.action === 1 ? "ok" : "bad",
      label: t.code("aclAction", row.action),
    }),
    { width: 112 },
  ),
  textColumn(
    "protocol",
    t.field("protocol"),
    (row: AclRow) => t.code("aclProtocol", row.protocol),
    {
      width: 88,
    },
  ),
  textColumn("src", t.field("srcIp"), (row: AclRow) => end(row.srcIp, row.srcPort, t("acl.any")), {
    width: 184,
  }),
  textColumn("dst", t.field("dstIp"), (row: AclRow) => end(row.dstIp, row.dstPort, t("acl.any")), {
    width: 184,
  }),
  effect,
  textColumn("remark", t.field("remark"), (row: AclRow) => row.remark || null, { optional: true }),
];

/** Removes all rules of the device, after its name was typed. */
function ClearButton({ node, count }: { readonly node: NodeCard; readonly count: number }) {
  const t = useSiteTexts();
  const confirm = useConfirm();
  const clear = useAction(aclRuleClear, { touches, done: t("node.saved") });
  const confirmClear = async (): Promise<void> => {
    const isMeant = await confirm({
      title: t("acl.clearTitle", { name: node.name, count }),
      body: t("acl.clearBody"),
      ok: t("acl.clear"),
      danger: true,
      typed: node.name,
    });
    if (isMeant) await clear.act({ nCpeID: node.id });
  };
  return (
    <May code="configAclRemove">
      <Button
        danger
        disabled={count === 0}
        loading={clear.isActing}
        onClick={() => void confirmClear()}
      >
        {t("acl.clear")}
      </Button>
    </May>
  );
}

interface Props {
  readonly node: NodeCard;
  readonly list: List<AclRow>;
  /** False: the ACL as a whole is switched off. */
  readonly isOn: boolean;
}

/** Rules for what passes through the device, with their drawer. */
export function AclRules({ node, list, isOn }: Props) {
  const t = useSiteTexts();
  const { opened, open, close } = useOpened();
  const effect = useRuleEffectColumn({
    summary: aclSummary,
    rows: list.rows,
    idOf: ({ nID }: AclRow) => nID,
    isOff: ({ nEnable }) => !nEnable,
  });
  const hits = useHitsColumns({
    family: aclRule.name,
    rows: list.rows,
    idOf: ({ nID }) => nID,
    nameOf: ({ name }) => name,
  });
  const remove = useRemove(aclRule, {
    title: ([row]) => t("acl.removeTitle", { node: node.name, rule: row.name }),
    body: () => t("acl.removeBody"),
    touches,
    done: t("node.saved"),
  });
  const row =
    opened?.what === "acl" ? (list.rows.find(({ nID }) => nID === opened.id) ?? null) : null;
  return (
    <SectionFrame
      title={t("site.acl")}
      tools={
        <>
          <ListFiles list={list} />
          <ClearButton node={node} count={list.count ?? 0} />
        </>
      }
      add={{ label: t("acl.add"), may: "configAclEdit", run: () => open("addAcl") }}
    >
      {!isOn && <p role="status">▲ {t("acl.off")}</p>}
      <ResourceTable
        list={list}
        rowKey="nID"
        columns={[...columnsOf(t, effect), ...hits]}
        empty={<EmptyState kind="good" text={t("acl.empty")} />}
        actions={(rule: AclRow) => [
          {
            key: "edit",
            label: t("node.edit"),
            may: "configAclEdit",
            run: () => open("acl", rule.nID),
          },
          {
            key: "remove",
            label: t("node.remove"),
            may: "configAclRemove",
            danger: true,
            run: () => void remove([rule]),
          },
        ]}
      />
      <ResourceForm
        resource={aclRule}
        open={opened?.what === "addAcl" || row !== null}
        row={row}
        title={row ? t("acl.editOf", { rule: row.name }) : t("acl.addTo", { name: node.name })}
        initial={newRule(node.id)}
        send={cleaned}
        saved={t("node.saved")}
        touches={touches}
        onClose={close}
      >
        <AclFields />
      </ResourceForm>
    </SectionFrame>
  );
}

function AclFields() {
  const t = useSiteTexts();
  const values = useDraftValues<AclDraft>();
  const protocols = codeOptions(t, "aclProtocol", aclProtocols);
  return (
    <>
      <Field name="name" />
      <FieldRow>
        <Field name="action" kind="radio" options={codeOptions(t, "aclAction", aclActions)} />
        <Field name="protocol" kind="select" options={protocols} />
      </FieldRow>
      <FieldRow>
        <Field name="srcIp" kind="mono" placeholder="10.1.9.0/24" />
        <Field name="dstIp" kind="mono" placeholder="10.1.1.0/24" />
      </FieldRow>
      {hasPorts(values) && (
        <FieldRow>
          <Field name="srcPort" kind="mono" placeholder="1024-65535" />
          <Field name="dstPort" kind="mono" placeholder="443" />
        </FieldRow>
      )}
      <FieldRow>
        <Field name="nSection" help={t("acl.sectionHelp")} />
        <Field name="sort" help={t("acl.sectionHelp")} />
      </FieldRow>
      <Field name="nEnable" label={t.code("enable", true)} />
      <Field name="remark" />
    </>
  );
}
