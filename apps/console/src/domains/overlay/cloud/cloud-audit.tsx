import { auditStatus } from "@weft/contract/domains/enterprises/enums.ts";
import { vbrNodeAudit } from "@weft/contract/domains/overlay/vbr-node.ts";
import { Field } from "#kernel/form/field.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import { type CloudRow, useCloudTexts } from "./cloud-texts.ts";

interface Props {
  /** null: closed. */
  readonly row: CloudRow | null;
  readonly onClose: () => void;
}

/** Approves or rejects a node that waits, with a word to it. */
export function CloudAudit({ row, onClose }: Props) {
  const t = useCloudTexts();
  return (
    <CallDialog
      endpoint={vbrNodeAudit}
      open={row !== null}
      title={t("cloud.auditOf", { name: row?.name ?? "" })}
      initial={{ id: row?.id ?? 0, status: auditStatus.approved, remark: null }}
      ok={t("cloud.audit")}
      touches={["vbrNode"]}
      onClose={onClose}
    >
      <Field
        name="status"
        kind="radio"
        label={t("cloud.verdict")}
        options={[
          { value: auditStatus.approved, label: t("cloud.pass") },
          { value: auditStatus.rejected, label: t("cloud.refuse") },
        ]}
      />
      <Field name="remark" label={t("cloud.said")} />
    </CallDialog>
  );
}
