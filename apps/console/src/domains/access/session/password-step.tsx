import Button from "antd/es/button";
import { useState } from "react";
import { z } from "zod";
import { useTexts } from "#client/texts.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { accountMessages } from "./account-messages.ts";

const form = z.object({ oldPsw: z.string().min(1).max(128) });

interface Props {
  readonly ok: string;
  readonly danger?: boolean;
  /** A refusal that it throws is shown at the field. */
  readonly onSubmit: (oldPsw: string) => Promise<void>;
  readonly onCancel: () => void;
}

/** Changing how the account is protected needs its password once more. */
export function PasswordStep({ ok, danger = false, onSubmit, onCancel }: Props) {
  const t = useTexts(accountMessages);
  const draft = useDraft(form, { oldPsw: "" });
  const [isBusy, setBusy] = useState(false);
  return (
    <DraftForm
      form={draft}
      onSubmit={async ({ oldPsw }) => {
        setBusy(true);
        await onSubmit(oldPsw).finally(() => setBusy(false));
      }}
    >
      <Field
        name="oldPsw"
        kind="password"
        label={t("factor.passwordLabel")}
        autoComplete="current-password"
      />
      <div className="w-confirm-foot">
        <Button onClick={onCancel}>{t("act.cancel")}</Button>
        <Button type="primary" danger={danger} htmlType="submit" loading={isBusy}>
          {ok}
        </Button>
      </div>
    </DraftForm>
  );
}
