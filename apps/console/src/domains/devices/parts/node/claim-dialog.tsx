import { cpeEmailSend } from "@weft/contract/domains/devices/cpe-actions.ts";
import { claimAdd } from "@weft/contract/domains/devices/enrolment.ts";
import type { NodeKind } from "@weft/contract/domains/devices/enums.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import Input from "antd/es/input/Input";
import Switch from "antd/es/switch";
import { useId, useState } from "react";
import { useAction } from "#feedback/use-action.ts";
import { Field } from "#kernel/form/field.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { Sentence } from "#ui/sentence.tsx";
import { ShownSecret } from "#ui/shown-secret.tsx";
import { stampText } from "#ui/time-text.tsx";
import styles from "./claim-dialog.module.css";
import { useCommandTexts } from "./command-texts.ts";
import type { NodeCard } from "./node-card.ts";
import { type NodeTexts, useNodeTexts } from "./node-texts.ts";

interface ClaimMailDialogProps {
  readonly node: Pick<NodeCard, "id" | "name" | "sn" | "enrolment">;
  readonly onClose: () => void;
}

/** Sends an activation code that is approved beforehand to the person who installs the device. */
function ClaimMailDialog({ node, onClose }: ClaimMailDialogProps) {
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

type Claim = OutputOf<typeof claimAdd>;

interface Props {
  /** The node that a device will serve; null: closed. */
  readonly node: {
    readonly id: number;
    readonly name: string;
    readonly sn: string;
    readonly enrolment: NodeCard["enrolment"];
    /** Activation codes of POPs are handed over manually. */
    readonly kind: NodeKind;
  } | null;
  /** Another device replaces the one that serves the node; absent: a code for its first device. */
  readonly isReplacing?: boolean;
  readonly onClose: () => void;
}

const titleOf = (enrolment: string | null, isReplacing: boolean) => {
  if (!isReplacing) return "claim.title";
  return enrolment === "quarantined" ? "replace.again" : "replace.title";
};

/** Creates the one-time activation code of a node and shows it once. */
export function ClaimDialog({ node, isReplacing = false, onClose }: Props) {
  const t = useNodeTexts();
  const [mailed, setMailed] = useState<number | null>(null);
  if (node && mailed === node.id) {
    const end = (): void => {
      setMailed(null);
      onClose();
    };
    return <ClaimMailDialog node={node} onClose={end} />;
  }
  return (
    <Modal
      open={node !== null}
      title={node && t(titleOf(node.enrolment, isReplacing), { name: node.name })}
      footer={null}
      width={640}
      destroyOnHidden
      // A code cannot be shown again: a click beside the dialog must not close it.
      mask={{ closable: false }}
      onCancel={onClose}
    >
      {node && (
        <ClaimBody
          key={node.id}
          node={node}
          isReplacing={isReplacing}
          onMail={() => setMailed(node.id)}
          onClose={onClose}
          t={t}
        />
      )}
    </Modal>
  );
}

function ClaimBody(props: {
  readonly node: NonNullable<Props["node"]>;
  readonly isReplacing: boolean;
  readonly onMail: () => void;
  readonly onClose: () => void;
  readonly t: NodeTexts;
}) {
  const { node, isReplacing, onMail, onClose, t } = props;
  const ofCommand = useCommandTexts();
  const [preApproved, setPreApproved] = useState(true);
  // After a quarantine the same device returns with a new key; otherwise it is another device.
  const [sn, setSn] = useState(isReplacing && node.enrolment !== "quarantined" ? "" : node.sn);
  const [claim, setClaim] = useState<Claim | null>(null);
  const making = useAction(claimAdd, { done: false });
  const label = useId();
  if (claim) return <ClaimText claim={claim} onClose={onClose} t={t} />;
  const make = async () => {
    const made = await making.act({ nodeId: node.id, preApproved, sn: sn.trim() });
    if (made) setClaim(made.data);
  };
  return (
    <div className={styles.body}>
      {isReplacing ? (
        <Replacing node={node} sn={sn} onSn={setSn} t={t} />
      ) : (
        <p>{t("claim.what", { sn: node.sn })}</p>
      )}
      {!isReplacing && node.enrolment === "approved" && (
        <p>
          <Sentence glyph="warn" text={t("claim.replaces")} />
        </p>
      )}
      <div className={styles.choice}>
        <Switch checked={preApproved} onChange={setPreApproved} aria-labelledby={label} />
        <span id={label}>
          {t("claim.preApproved")}
          <span className={styles.help}>
            {t(preApproved ? "claim.preApprovedOn" : "claim.preApprovedOff")}
          </span>
        </span>
      </div>
      <div className={styles.foot}>
        {node.kind === "cpe" && !isReplacing && (
          <Button type="link" onClick={onMail}>
            {ofCommand("claim.mail")}
          </Button>
        )}
        <Button onClick={onClose}>{t("act.cancel")}</Button>
        <Button
          type="primary"
          loading={making.isActing}
          disabled={sn.trim() === ""}
          onClick={() => void make()}
        >
          {t("claim.make")}
        </Button>
      </div>
    </div>
  );
}

/** Which device enrols, and what happens to the current one. */
function Replacing(props: {
  readonly node: NonNullable<Props["node"]>;
  readonly sn: string;
  readonly onSn: (sn: string) => void;
  readonly t: NodeTexts;
}) {
  const { node, sn, onSn, t } = props;
  const field = useId();
  return (
    <>
      <p>{t("replace.what", { sn: node.sn })}</p>
      <p>
        <Sentence
          glyph="warn"
          text={t(node.enrolment === "quarantined" ? "replace.bothOut" : "replace.oldOut")}
        />
      </p>
      <div>
        <label className={styles.label} htmlFor={field}>
          {t(node.enrolment === "quarantined" ? "replace.snAgain" : "replace.sn")}
        </label>
        <Input id={field} value={sn} autoFocus onChange={(event) => onSn(event.target.value)} />
      </div>
    </>
  );
}

function ClaimText(props: {
  readonly claim: Claim;
  readonly onClose: () => void;
  readonly t: NodeTexts;
}) {
  const { claim, onClose, t } = props;
  return (
    <div className={styles.body}>
      <p className={styles.valid}>
        <span>{t("claim.validUntil", { time: stampText(claim.expireTime) })}</span>
        <Sentence glyph="warn" text={t("claim.once")} />
      </p>
      <ShownSecret label={t("claim.command")} text={claim.command} />
      <ShownSecret label={t("claim.text")} text={claim.claim} />
      <div className={styles.foot}>
        <Button type="primary" onClick={onClose}>
          {t("claim.copied")}
        </Button>
      </div>
    </div>
  );
}
