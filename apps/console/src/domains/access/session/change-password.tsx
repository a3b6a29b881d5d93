import { editPassword, passwordFormOf } from "@weft/contract/domains/access/session.ts";
import { passwordLengths } from "@weft/contract/rules/password-policy.ts";
import { useState } from "react";
import type { z } from "zod";
import { call } from "#client/call.ts";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useToast } from "#feedback/toast.tsx";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { DialogFoot } from "#parts/fields/submit.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { passwordMessages } from "./account-messages.ts";

/** The user's own password (specification section 5): three required fields, the new ones equal. */
export function ChangePassword(props: { readonly open: boolean; readonly onClose: () => void }) {
  const t = useTexts(passwordMessages);
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
  const t = useTexts(passwordMessages);
  const toast = useToast();
  const { userId, loginName, passwordPolicy } = useSession();
  const [schema] = useState(() => passwordFormOf(passwordPolicy, [loginName]));
  const form = useDraft(schema, { userId, oldPsw: "", newPsw: "", rePsw: "" });
  const save = async (draft: z.output<typeof schema>): Promise<void> => {
    const { warnings = [] } = await call(editPassword, draft);
    toast.done(t("password.done"));
    toast.warned(warnings);
    onClose();
  };
  return (
    <DraftForm form={form} onSubmit={save}>
      <Field
        name="oldPsw"
        label={t("password.old")}
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
      <DialogFoot ok={t("password.title")} onClose={onClose} />
    </DraftForm>
  );
}
