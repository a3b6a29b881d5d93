import { enrolmentApprove, enrolmentReject } from "@weft/contract/domains/devices/enrolment.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { type EnrolmentRow, type EnrolmentTexts, useEnrolmentTexts } from "./enrolment-texts.ts";

/** What a decision changes beside the queue. */
const touches = ["cpe", "pop", "nodeState", "auth"];

/** "SH-03 (SN 8F3A)": a name alone does not say which device asked. */
const named = (rows: readonly EnrolmentRow[], t: EnrolmentTexts): string =>
  t.list(rows.map(({ nodeName, sn }) => `${nodeName} (${sn})`));

/** Approves and rejects devices after asking by name; true: it was done. */
export const useDecide = () => {
  const t = useEnrolmentTexts();
  const confirm = useConfirm();
  const approval = useAction(enrolmentApprove, { touches });
  const rejection = useAction(enrolmentReject, { touches });

  const approve = async (rows: readonly EnrolmentRow[]): Promise<boolean> => {
    const [first] = rows;
    if (!first) return false;
    const isOne = rows.length === 1;
    const facts = { name: first.nodeName, sn: first.sn, fingerprint: first.fingerprint };
    const isMeant = await confirm({
      title: isOne
        ? t("enrolment.approveTitle", facts)
        : t("enrolment.approveMany", { count: rows.length }),
      body: isOne
        ? t("enrolment.approveBody", facts)
        : t("enrolment.approveManyBody", { names: named(rows, t) }),
      ok: t("enrolment.approve"),
    });
    return isMeant && (await approval.act({ ids: rows.map(({ id }) => id) })) !== null;
  };

  const reject = async (rows: readonly EnrolmentRow[]): Promise<boolean> => {
    const [first] = rows;
    if (!first) return false;
    const isOne = rows.length === 1;
    const kind = first.state === "approved" ? "cutOff" : "reject";
    const facts = { name: first.nodeName, sn: first.sn };
    const isMeant = await confirm({
      title: isOne
        ? t(`enrolment.${kind}Title`, facts)
        : t("enrolment.rejectMany", { count: rows.length }),
      body: isOne
        ? t(`enrolment.${kind}Body`, facts)
        : t("enrolment.rejectManyBody", { names: named(rows, t) }),
      ok: t(isOne ? `enrolment.${kind}` : "enrolment.reject"),
      danger: true,
    });
    return isMeant && (await rejection.act({ ids: rows.map(({ id }) => id) })) !== null;
  };

  return { approve, reject };
};
