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
  const [begun, setBegun] = useState<{ secret: string; uri: string } | null>(null);
  const begin = async (oldPsw: string): Promise<void> =>
    setBegun((await call(totpBegin, { oldPsw })).data);
  return (
    <Modal
      open
      title={t("factor.addTotp")}
      width={460}
      footer={null}
      mask={{ closable: begun === null }}
      onCancel={onClose}
    >
      {begun ? (
        <ConfirmTotp begun={begun} onClose={onClose} onAdded={onAdded} />
      ) : (
        <PasswordStep ok={t("factor.next")} onSubmit={begin} onCancel={onClose} />
      )}
    </Modal>
  );
}

interface ConfirmProps extends AddProps {
  readonly begun: { readonly secret: string; readonly uri: string };
}

function ConfirmTotp({ begun, onClose, onAdded }: ConfirmProps) {
  const t = useTexts(accountMessages);
  const form = useDraft(totpConfirm.input, { sms: "" });
  return (
    <DraftForm
      form={form}
      onSubmit={async (draft) => onAdded((await call(totpConfirm, draft)).data.recoveryCodes)}
    >
      <div className={styles.scan}>
        {/* Scanners want dark on light, whatever the mode. */}
        <QRCode value={begun.uri} size={160} color="#000000" bgColor="#ffffff" />
        <div>
          <p>{t("factor.scan")}</p>
          <code>{begun.secret}</code> <CopyButton text={begun.secret} />
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
