import { totpBegin, totpConfirm } from "@weft/contract/domains/access/factors.ts";
import Button from "antd/es/button";
import QRCode from "antd/es/qr-code";
import { useState } from "react";
import { call } from "#client/call.ts";
import { useTexts } from "#client/texts.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { CopyButton } from "#ui/copyable.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import styles from "./account.module.css";
import { accountMessages } from "./account-messages.ts";
import { PasswordStep } from "./password-step.tsx";

export interface AddProps {
  readonly onClose: () => void;
  /** With the recovery codes that came along; null: there are some already. */
  readonly onAdded: (recoveryCodes: readonly string[] | null) => void;
}

/** An authenticator app: password, QR code, first code. */
export function AddTotp({ onClose, onAdded }: AddProps) {
  const t = useTexts(accountMessages);
  const [started, setStarted] = useState<{ secret: string; uri: string } | null>(null);
  const startEnrolment = async (oldPsw: string): Promise<void> =>
    setStarted((await call(totpBegin, { oldPsw })).data);
  return (
    <Modal
      open
      title={t("factor.addTotp")}
      width={460}
      footer={null}
      mask={{ closable: started === null }}
      onCancel={onClose}
    >
      {started ? (
        <ConfirmTotp started={started} onClose={onClose} onAdded={onAdded} />
      ) : (
        <PasswordStep ok={t("factor.next")} onSubmit={startEnrolment} onCancel={onClose} />
      )}
    </Modal>
  );
}

interface ConfirmProps extends AddProps {
  readonly started: { readonly secret: string; readonly uri: string };
}

function ConfirmTotp({ started, onClose, onAdded }: ConfirmProps) {
  const t = useTexts(accountMessages);
  const form = useDraft(totpConfirm.input, { sms: "" });
  return (
    <DraftForm
      form={form}
      onSubmit={async (draft) => onAdded((await call(totpConfirm, draft)).data.recoveryCodes)}
    >
      <div className={styles.scan}>
        {/* Scanners want dark on light, whatever the mode. */}
        <QRCode value={started.uri} size={160} color="#000000" bgColor="#ffffff" />
        <div>
          <p>{t("factor.scan")}</p>
          <code>{started.secret}</code> <CopyButton text={started.secret} />
        </div>
      </div>
      <Field name="sms" label={t("factor.codeLabel")} autoComplete="one-time-code" />
      <div className="w-confirm-foot">
        <Button onClick={onClose}>{t("act.cancel")}</Button>
        <Button type="primary" htmlType="submit">
          {t("factor.confirm")}
        </Button>
      </div>
    </DraftForm>
  );
}
