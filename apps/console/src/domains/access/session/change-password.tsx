import { apiKey } from "@weft/contract/domains/access/api-key.ts";
import { editPassword, passwordFormOf } from "@weft/contract/domains/access/session.ts";
import { passwordLengths } from "@weft/contract/rules/password-policy.ts";
import { useState } from "react";
import type { z } from "zod";
import { call } from "#client/call.ts";
import { useMay, useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
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
  const form = useDraft(schema, {
    userId,
    oldPsw: "",
    newPsw: "",
    rePsw: "",
    revokeKeys: true,
  });
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
      <RevokeKeys loginName={loginName} />
      <DialogFoot ok={t("password.title")} onClose={onClose} />
    </DraftForm>
  );
}

const wholeList = {
  name: null,
  groupid: null,
  orderByColumn: null,
  isAsc: null,
  page: 1,
  limit: 1000,
} as const;

/** What a session that somebody else held may have made ends with the password; other sessions do in any case. */
function RevokeKeys({ loginName }: { readonly loginName: string }) {
  const t = useTexts(passwordMessages);
  const may = useMay();
  const { data = [] } = useCall(apiKey.ops.list, may("sysUserList") ? wholeList : null);
  const names = data.filter(({ createBy }) => createBy === loginName).map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <Field
      name="revokeKeys"
      kind="switch"
      label={t("password.revokeKeys")}
      help={t("password.revokeHelp", { names: t.list(names) })}
    />
  );
}
