import { companyAudit } from "@weft/contract/domains/enterprises/company-audit.ts";
import { auditStatus, auditStatuses } from "@weft/contract/domains/enterprises/enums.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { versionField, versionOf } from "@weft/contract/kernel/row-version.ts";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { codeOptions, Field, FieldRow } from "#kernel/form/field.tsx";
import {
  type Column,
  nameColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import type { Glyph } from "#ui/glyph.tsx";
import { companyAuditMessages } from "./messages.ts";

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
