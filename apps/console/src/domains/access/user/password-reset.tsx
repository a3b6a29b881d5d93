import { userResetFactors } from "@weft/contract/domains/access/factors.ts";
import { userResetPwd, user as users } from "@weft/contract/domains/access/user.ts";
import { failsWith } from "@weft/contract/kernel/rule.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { z } from "zod";
import { call } from "#client/call.ts";
import { useToast } from "#feedback/toast.tsx";
import { Field, FieldGroup } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { CallDialog } from "#parts/call-dialog.tsx";
import { OwnPassword } from "#parts/fields/own-password.tsx";
import { FormDialog } from "#parts/form-dialog.tsx";
import { type UserRow, useUserTexts } from "./user-texts.ts";

/** Section 5: twice the same. */
const schema = z
  .object({
    newPsw: userResetPwd.input.shape.newPsw,
    rePsw: z.string().min(1),
    oldPsw: userResetPwd.input.shape.oldPsw,
  })
  .refine((form) => form.newPsw === form.rePsw, failsWith("same", {}, ["rePsw"]));

interface Props {
  readonly user: UserRow;
  readonly onClose: () => void;
}

/** Sets another user's password. */
export function PasswordReset({ user, onClose }: Props) {
  const t = useUserTexts();
  const form = useDraft(schema, { newPsw: "", rePsw: "", oldPsw: null });
  const toast = useToast();
  const submit = async ({ newPsw, oldPsw }: z.output<typeof schema>): Promise<void> => {
    const { warnings = [] } = await call(userResetPwd, {
      userId: user.userId,
      newPsw,
      oldPsw,
    });
    toast.done(t("user.resetDone"));
    toast.warned(warnings);
    onClose();
  };
  return (
    <FormDialog
      title={t("user.resetOf", { name: user.loginName })}
      form={form}
      ok={t("user.reset")}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t("user.resetBody", { name: user.loginName })}</p>
      <Field name="newPsw" kind="password" />
      <Field name="rePsw" kind="password" />
      <OwnPassword />
      <TakeFactors user={user} />
    </FormDialog>
  );
}

/** For a user who has lost all MFA methods; says first what that means. */
function TakeFactors({ user }: { readonly user: UserRow }) {
  const t = useUserTexts();
  const [isOpen, setOpen] = useState(false);
  const { userId, loginName: name } = user;
  return (
    <FieldGroup title={t("user.factorsLost")}>
      <div>
        <Button danger onClick={() => setOpen(true)}>
          {t("user.factors")}
        </Button>
      </div>
      <CallDialog
        open={isOpen}
        endpoint={userResetFactors}
        title={t("user.factorsTitle", { name })}
        initial={{ userId, oldPsw: null }}
        ok={t("user.factorsOk")}
        touches={[users.name]}
        saved={() => t("user.factorsDone")}
        onClose={() => setOpen(false)}
      >
        <p>{t("user.factorsBody", { name })}</p>
        <OwnPassword />
      </CallDialog>
    </FieldGroup>
  );
}
