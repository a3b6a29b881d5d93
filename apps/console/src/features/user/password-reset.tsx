import { failsWith } from "@weft/contract/kernel/rule.ts";
import { userResetPwd } from "@weft/contract/resources/user.ts";
import { useState } from "react";
import { z } from "zod";
import { call } from "#kernel/call.ts";
import { useToast } from "#kernel/feedback/toast.tsx";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { Modal } from "#kernel/overlay/modal.tsx";
import { type UserRow, useUserTexts } from "./user-texts.ts";

/** Section 5: twice the same. */
const schema = z
  .object({ newPsw: userResetPwd.input.shape.newPsw, rePsw: z.string().min(1) })
  .refine((form) => form.newPsw === form.rePsw, failsWith("same", {}, ["rePsw"]));

interface Props {
  readonly user: UserRow;
  readonly onClose: () => void;
}

/** Sets another user's password. */
export function PasswordReset({ user, onClose }: Props) {
  const t = useUserTexts();
  const form = useDraft(schema, { newPsw: "", rePsw: "" });
  const toast = useToast();
  const [isActing, setActing] = useState(false);
  const submit = async ({ newPsw }: z.output<typeof schema>): Promise<void> => {
    setActing(true);
    try {
      await call(userResetPwd, { userId: user.userId, newPsw });
      toast.done(t("user.resetDone"));
      onClose();
    } finally {
      setActing(false);
    }
  };
  return (
    <Modal
      open
      width={460}
      title={t("user.resetOf", { name: user.loginName })}
      okText={t("user.reset")}
      cancelText={t("act.cancel")}
      confirmLoading={isActing}
      okButtonProps={{ htmlType: "submit", form: "password-reset" }}
      onCancel={onClose}
      destroyOnHidden
    >
      <DraftForm id="password-reset" form={form} onSubmit={submit}>
        <p>{t("user.resetBody", { name: user.loginName })}</p>
        <Field name="newPsw" kind="password" />
        <Field name="rePsw" kind="password" />
      </DraftForm>
    </Modal>
  );
}
