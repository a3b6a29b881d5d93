import { userResetFactors } from "@weft/contract/domains/access/factors.ts";
import { userResetPwd } from "@weft/contract/domains/access/user.ts";
import { failsWith } from "@weft/contract/kernel/rule.ts";
import Button from "antd/es/button";
import { z } from "zod";
import { call } from "#client/call.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useAction } from "#feedback/use-action.ts";
import { Field, FieldGroup } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { FormDialog } from "#parts/form-dialog.tsx";
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
  const submit = async ({ newPsw }: z.output<typeof schema>): Promise<void> => {
    const { warnings = [] } = await call(userResetPwd, { userId: user.userId, newPsw });
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
      <TakeFactors user={user} />
    </FormDialog>
  );
}

/** For a user who has lost all MFA methods; says first what that means. */
function TakeFactors({ user }: { readonly user: UserRow }) {
  const t = useUserTexts();
  const confirm = useConfirm();
  const { act, isActing } = useAction(userResetFactors, { done: t("user.factorsDone") });
  const { userId, loginName: name } = user;
  const take = async (): Promise<void> => {
    const yes = await confirm({
      title: t("user.factorsTitle", { name }),
      body: t("user.factorsBody", { name }),
      ok: t("user.factorsOk"),
      danger: true,
    });
    if (yes) await act({ userId });
  };
  return (
    <FieldGroup title={t("user.factorsLost")}>
      <div>
        <Button danger loading={isActing} onClick={() => void take()}>
          {t("user.factors")}
        </Button>
      </div>
    </FieldGroup>
  );
}
