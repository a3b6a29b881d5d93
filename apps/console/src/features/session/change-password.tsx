import { editPassword, passwordFormOf } from "@weft/contract/calls/session.ts";
import { passwordLengths } from "@weft/contract/rules/password-policy.ts";
import Button from "antd/es/button";
import { useState } from "react";
import type { z } from "zod";
import { call } from "#kernel/call.ts";
import { useToast } from "#kernel/feedback/toast.tsx";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { Modal } from "#kernel/overlay/modal.tsx";
import { useSession } from "#kernel/session.tsx";
import { useTexts } from "#kernel/texts.ts";
import { sessionMessages } from "./messages.ts";

/** The own password (specification section 5): three required fields, the new ones equal. */
export function ChangePassword(props: { readonly open: boolean; readonly onClose: () => void }) {
  const t = useTexts(sessionMessages);
  return (
    <Modal
      open={props.open}
      title={t("password.title")}
      width={460}
      footer={null}
      destroyOnHidden
      onCancel={props.onClose}
    >
      {props.open && <PasswordForm onClose={props.onClose} />}
    </Modal>
  );
}

function PasswordForm({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(sessionMessages);
  const toast = useToast();
  const { userId, loginName, passwordPolicy } = useSession();
  const [isSaving, setSaving] = useState(false);
  const [schema] = useState(() => passwordFormOf(passwordPolicy, [loginName]));
  const form = useDraft(schema, { userId, oldPsw: "", newPsw: "", rePsw: "" });
  const save = async (draft: z.output<typeof schema>): Promise<void> => {
    setSaving(true);
    try {
      await call(editPassword, draft);
      toast.done(t("password.done"));
      onClose();
    } finally {
      setSaving(false);
    }
  };
  return (
    <DraftForm form={form} onSubmit={save}>
      <Field
        name="oldPsw"
        kind="password"
        missing={t("password.missing")}
        autoComplete="current-password"
      />
      <Field
        name="newPsw"
        kind="password"
        help={t("password.tip", passwordLengths[passwordPolicy])}
      />
      <Field name="rePsw" kind="password" help={t("password.same")} />
      <div className="w-confirm-foot">
        <Button onClick={onClose}>{t("act.cancel")}</Button>
        <Button type="primary" htmlType="submit" loading={isSaving}>
          {t("password.title")}
        </Button>
      </div>
    </DraftForm>
  );
}
