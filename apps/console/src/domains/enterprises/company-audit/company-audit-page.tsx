import { companyAudit } from "@weft/contract/domains/enterprises/company-audit.ts";
import { auditStatus, auditStatuses } from "@weft/contract/domains/enterprises/enums.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { versionField, versionOf } from "@weft/contract/kernel/row-version.ts";
import { useSession } from "#client/session.tsx";
import { codeOptions, useTexts } from "#client/texts.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { Field, FieldRow } from "#kernel/form/field.tsx";
import {
  type Column,
  nameColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import type { Glyph } from "#ui/glyph.tsx";

const companyAuditMessages = defineMessages({
  "audit.title": ["企业审核", "Company audit"],
  "audit.add": ["提交审核", "Submit documents"],
  "audit.editOf": ["编辑 {name}", "Edit {name}"],
  "audit.search": ["公司名称", "Company name"],
  "audit.company": ["公司名称", "Company"],
  "audit.approve": ["通过", "Approve"],
  "audit.reject": ["驳回", "Reject"],
  "audit.approveTitle": ["通过 {name} 的审核？", "Approve {name}?"],
  "audit.approveBody": [
    "{enterprise} 的公司资料标为已通过。企业修改资料后需要重新审核。",
    "The documents of {enterprise} are marked as approved. If it changes them, they are reviewed again.",
  ],
  "audit.rejectTitle": ["驳回 {name} 的审核？", "Reject {name}?"],
  "audit.rejectBody": [
    "{enterprise} 会看到已驳回，修改后可以再次提交。",
    "{enterprise} sees that the documents were rejected, and may submit them again.",
  ],
  "audit.again": ["保存后重新等待审核", "After saving, it waits for review again"],
  "audit.removeTitle": ["删除 {name} 的审核资料？", "Delete the submission of {name}?"],
  "audit.removeBody": [
    "资料和审核结果一并删除，不能恢复。",
    "The documents and the result are deleted permanently.",
  ],
  "audit.empty": [
    "还没有公司资料。提交营业执照信息，由上级企业审核",
    "No documents yet. Submit the company's registration; the enterprise above reviews it",
  ],
});

type Row = RowOf<typeof companyAudit>;
type Draft = DraftOf<typeof companyAudit>;
const useAuditTexts = () => useTexts(companyAuditMessages);
type Texts = ReturnType<typeof useAuditTexts>;

const glyphs: Readonly<Record<Row["status"], Glyph>> = { 0: "off", 1: "ok", 2: "bad" };

/** The last four of a national ID say whose it is; the rest need not be shown in a list. */
const shortId = (idCard: string | null): string | null => idCard && `…${idCard.slice(-4)}`;

const columnsOf = (t: Texts): Column<Row>[] => [
  stateColumn(
    "status",
    t.field("auditStatus"),
    (row: Row) => ({ glyph: glyphs[row.status], label: t.code("auditStatus", row.status) }),
    { width: 112 },
  ),
  nameColumn("name", t("audit.company"), (row: Row) => ({ text: row.name }), {
    sort: true,
    width: 240,
  }),
  textColumn("enterpriseName", t.field("enterpriseName"), (row: Row) => row.enterpriseName, {
    width: 160,
  }),
  textColumn("license", t.field("license"), (row: Row) => row.license, { width: 192 }),
  textColumn("contact", t.field("contact"), (row: Row) => row.contact || null, { width: 112 }),
  textColumn("idCard", t.field("idCard"), (row: Row) => shortId(row.idCard), { optional: true }),
  textColumn("phone", t.field("phone"), (row: Row) => row.phone, { optional: true }),
  textColumn("auditBy", t.field("auditBy"), (row: Row) => row.auditBy, { width: 112 }),
  timeColumn("auditTime", t.field("auditTime"), (row: Row) => row.auditTime, {
    form: "stamp",
    width: 176,
  }),
  textColumn("remark", t.field("remark"), (row: Row) => row.remark || null, { optional: true }),
];

/** What is submitted is pending until it is reviewed. */
const waiting = (draft: Draft): Draft => ({ ...draft, status: auditStatus.waiting });

const draftOf = ({ groupid, name, license, idCard, contact, phone, remark }: Row) => ({
  groupid,
  name,
  license,
  idCard,
  contact,
  phone,
  remark,
});

/** Approves or rejects, after saying what that means. */
function useReview(t: Texts) {
  const confirm = useConfirm();
  const { act } = useAction(companyAudit.ops.edit);
  return async (row: Row, status: 1 | 2): Promise<void> => {
    const label = status === auditStatus.approved ? "approve" : "reject";
    const isMeant = await confirm({
      title: t(`audit.${label}Title`, { name: row.name }),
      body: t(`audit.${label}Body`, { enterprise: row.enterpriseName }),
      ok: t(`audit.${label}`),
    });
    if (isMeant) {
      // What is reviewed is what was read: a row that was changed since is refused.
      await act({ ...draftOf(row), status, id: row.id, [versionField]: versionOf(row) ?? "" });
    }
  };
}

function AuditFields() {
  const t = useAuditTexts();
  return (
    <>
      <Field name="groupid" kind={EnterpriseControl} />
      <Field name="name" label={t("audit.company")} />
      <Field name="license" kind="mono" />
      <FieldRow>
        <Field name="contact" />
        <Field name="phone" />
      </FieldRow>
      <Field name="idCard" kind="mono" />
      <Field name="remark" help={t("audit.again")} />
    </>
  );
}

/** Companies' documents: submitted by an enterprise, reviewed by the one above it. */
export default resourcePage(companyAudit, function useAudits() {
  const t = useAuditTexts();
  const { groupid } = useSession();
  const review = useReview(t);
  const approve = (row: Row) => ({
    key: "approve",
    label: t("audit.approve"),
    run: () => void review(row, auditStatus.approved),
  });
  const reject = (row: Row) => ({
    key: "reject",
    label: t("audit.reject"),
    run: () => void review(row, auditStatus.rejected),
  });
  const initial = { groupid, name: "", license: null, idCard: null, contact: "", phone: null };
  return {
    title: t("audit.title"),
    addLabel: t("audit.add"),
    empty: t("audit.empty"),
    nameOf: (row) => row.name,
    columns: columnsOf(t),
    filters: [
      { key: "name", kind: "text", label: t("audit.search") },
      {
        key: "status",
        kind: "select",
        label: t.field("auditStatus"),
        options: codeOptions(t, "auditStatus", auditStatuses),
      },
      { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
    ],
    form: {
      initial: { ...initial, status: auditStatus.waiting, remark: "" },
      editTitle: (row) => t("audit.editOf", { name: row.name }),
      send: waiting,
      body: () => <AuditFields />,
    },
    actions: (row, { edit, remove }) => [
      ...(row.judgeable && row.status === auditStatus.waiting ? [approve(row), reject(row)] : []),
      edit,
      remove,
    ],
    removal: {
      title: (row) => t("audit.removeTitle", { name: row.name }),
      body: () => t("audit.removeBody"),
    },
  };
});
