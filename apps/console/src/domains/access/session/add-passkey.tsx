import { passkeyAdd, passkeyBegin } from "@weft/contract/domains/access/factors.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { z } from "zod";
import { CallError, call } from "#client/call.ts";
import { useTexts } from "#client/texts.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { Modal } from "#ui/overlay/modal.tsx";
import { accountMessages } from "./account-messages.ts";
import type { AddProps } from "./add-totp.tsx";
import { makePasskey } from "./passkey-browser.ts";
import { PasskeyError } from "./passkey-error.ts";

const form = z.object({
  name: passkeyAdd.input.shape.name,
  oldPsw: z.string().min(1).max(128),
});

/** A passkey: a name, the password, and then what the browser asks. */
export function AddPasskey({ onClose, onAdded }: AddProps) {
  const t = useTexts(accountMessages);
  const draft = useDraft(form, { name: "", oldPsw: "" });
  const [isBusy, setBusy] = useState(false);
  const add = async ({ name, oldPsw }: z.output<typeof form>): Promise<void> => {
    setBusy(true);
    try {
      const { ticket, options } = (await call(passkeyBegin, { oldPsw })).data;
      const response = await makePasskey(options).catch((error: unknown) => {
        if (!(error instanceof PasskeyError)) throw error;
        throw new CallError("refused", t("factor.passkeyRefused"));
      });
      onAdded((await call(passkeyAdd, { ticket, name, response })).data.recoveryCodes);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal open title={t("factor.addPasskey")} width={460} footer={null} onCancel={onClose}>
      <DraftForm form={draft} onSubmit={add}>
        <Field name="name" label={t("factor.passkeyName")} />
        <Field
          name="oldPsw"
          kind="password"
          label={t("factor.passwordLabel")}
          autoComplete="current-password"
        />
        {isBusy && <p className="w-quiet">{t("factor.passkeyWait")}</p>}
        <div className="w-confirm-foot">
          <Button onClick={onClose}>{t("act.cancel")}</Button>
          <Button type="primary" htmlType="submit" loading={isBusy}>
            {t("factor.addPasskey")}
          </Button>
        </div>
      </DraftForm>
    </Modal>
  );
}
