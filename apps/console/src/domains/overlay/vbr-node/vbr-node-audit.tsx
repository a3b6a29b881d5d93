import { auditStatus } from "@weft/contract/domains/enterprises/enums.ts";
import { vbrNodeAudit } from "@weft/contract/domains/overlay/vbr-node.ts";
import { Field } from "#kernel/form/field.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import { useVbrNodeTexts, type VbrNodeRow } from "./vbr-node-texts.ts";

interface Props {
  /** null: closed. */
  readonly row: VbrNodeRow | null;
  readonly onClose: () => void;
}

/** Approves or rejects a waiting node, with a remark. */
export function VbrNodeAudit({ row, onClose }: Props) {
  const t = useVbrNodeTexts();
  return (
    <CallDialog
      endpoint={vbrNodeAudit}
      open={row !== null}
      title={t("vbrNode.auditOf", { name: row?.name ?? "" })}
      initial={{ id: row?.id ?? 0, status: auditStatus.approved, remark: null }}
      ok={t("vbrNode.audit")}
      touches={["vbrNode"]}
      onClose={onClose}
    >
      <Field
        name="status"
        kind="radio"
        label={t("vbrNode.verdict")}
        options={[
          { value: auditStatus.approved, label: t("vbrNode.pass") },
          { value: auditStatus.rejected, label: t("vbrNode.refuse") },
        ]}
      />
      <Field name="remark" label={t("vbrNode.comment")} />
    </CallDialog>
  );
}
