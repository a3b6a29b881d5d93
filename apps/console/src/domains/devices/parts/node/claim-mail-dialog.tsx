import { cpeEmailSend } from "@weft/contract/domains/devices/cpe-actions.ts";
import { Field } from "#kernel/form/field.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import { Sentence } from "#ui/sentence.tsx";
import { useCommandTexts } from "./command-texts.ts";
import type { NodeCard } from "./node-card.ts";
import { useNodeTexts } from "./node-texts.ts";

interface Props {
  readonly node: Pick<NodeCard, "id" | "name" | "sn" | "enrolment">;
  readonly onClose: () => void;
}

/** Sends an activation code that is approved beforehand to the person who installs the device. */
export function ClaimMailDialog({ node, onClose }: Props) {
  const t = useCommandTexts();
  const ofNode = useNodeTexts();
  return (
    <CallDialog
      endpoint={cpeEmailSend}
      open
      title={t("claim.mailTitle", { name: node.name })}
      initial={{ id: node.id, title: t("claim.mailSubject", { name: node.name }), email: "" }}
      ok={t("claim.mailSend")}
      touches={["claim", "cpe", "nodeState"]}
      saved={() => t("claim.mailSent")}
      onClose={onClose}
    >
      <p className="w-quiet">{t("claim.mailWhat", { sn: node.sn })}</p>
      {node.enrolment === "approved" && (
        <p>
          <Sentence glyph="warn" text={ofNode("claim.replaces")} />
        </p>
      )}
      <Field name="email" />
      <Field name="title" label={t("claim.mailTitleField")} />
    </CallDialog>
  );
}
