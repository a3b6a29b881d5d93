import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import {
  accountBatchEnd,
  accountEditPass,
  mobileAccount,
} from "@weft/contract/resources/mobile-account.ts";
import { useState } from "react";
import { z } from "zod";
import type { Target } from "#kernel/batch/target.ts";
import { call } from "#kernel/call.ts";
import { useToast } from "#kernel/feedback/toast.tsx";
import { CallDialog } from "#kernel/form/call-dialog.tsx";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field } from "#kernel/form/field.tsx";
import type { FieldProps } from "#kernel/form/field-props.ts";
import { type DraftSchema, useDraft } from "#kernel/form/use-draft.ts";
import { Modal } from "#kernel/overlay/modal.tsx";
import { useInvalidate } from "#kernel/use-action.ts";
import { type AccountRow, useAccountTexts } from "./account-texts.ts";

const passwordSchema = z.object({ password: accountEditPass.input.shape.password });

interface OneFieldProps {
  readonly title: string;
  readonly schema: DraftSchema;
  readonly initial: Record<string, unknown>;
  readonly field: FieldProps;
  readonly endpoint: Endpoint;
  /** What goes along with the field. */
  readonly fixed: object;
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** A dialog of one field that makes one call. */
function OneField(props: OneFieldProps) {
  const { title, schema, initial, field, endpoint, fixed, onDone, onClose } = props;
  const t = useAccountTexts();
  const toast = useToast();
  const invalidate = useInvalidate();
  const form = useDraft(schema, initial);
  const [isActing, setActing] = useState(false);
  const submit = async (values: object): Promise<void> => {
    setActing(true);
    try {
      await call(endpoint, { ...fixed, ...values });
      toast.done();
      invalidate(mobileAccount.name);
      onDone?.();
      onClose();
    } finally {
      setActing(false);
    }
  };
  return (
    <Modal
      open
      width={460}
      title={title}
      okText={t("act.save")}
      cancelText={t("act.cancel")}
      confirmLoading={isActing}
      okButtonProps={{ htmlType: "submit", form: "account-field" }}
      onCancel={onClose}
      destroyOnHidden
    >
      <DraftForm id="account-field" form={form} onSubmit={(values) => submit(values as object)}>
        <Field {...field} />
      </DraftForm>
    </Modal>
  );
}

interface BatchExpireProps {
  readonly target: Target;
  readonly onBegun: (id: number) => void;
  readonly onClose: () => void;
}

/** One end for all chosen accounts. */
export function BatchExpire({ target, onBegun, onClose }: BatchExpireProps) {
  const t = useAccountTexts();
  return (
    <CallDialog
      endpoint={accountBatchEnd}
      open
      title={t("account.batchExpireOf", { count: target.count })}
      initial={{ ...target.input, expire: null }}
      ok={t("act.save")}
      touches={[]}
      onAnswer={({ id }) => onBegun(id)}
      onClose={onClose}
    >
      <Field name="expire" kind="dateTime" help={t("account.expireHelp")} />
    </CallDialog>
  );
}

/** Sets the password of a client. */
export function AccountPassword({
  row,
  onClose,
}: {
  readonly row: AccountRow;
  readonly onClose: () => void;
}) {
  const t = useAccountTexts();
  return (
    <OneField
      title={t("account.passwordOf", { name: row.alias })}
      schema={passwordSchema as unknown as DraftSchema}
      initial={{ password: "" }}
      field={{ name: "password", kind: "password", autoComplete: "new-password" }}
      endpoint={accountEditPass as unknown as Endpoint}
      fixed={{ id: row.id }}
      onClose={onClose}
    />
  );
}
