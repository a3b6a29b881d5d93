import {
  accountBatchEnd,
  accountEditPass,
  mobileAccount,
} from "@weft/contract/domains/mobile/mobile-account.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import { z } from "zod";
import { call } from "#client/call.ts";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { Field } from "#kernel/form/field.tsx";
import type { FieldProps } from "#kernel/form/field-props.ts";
import { type DraftSchema, useDraft } from "#kernel/form/use-draft.ts";
import type { Target } from "#parts/batch/target.ts";
import { CallDialog } from "#parts/call-dialog.tsx";
import { FormDialog } from "#parts/form-dialog.tsx";
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
  const submit = async (values: object): Promise<void> => {
    await call(endpoint, { ...fixed, ...values });
    toast.done();
    invalidate(mobileAccount.name);
    onDone?.();
    onClose();
  };
  return (
    <FormDialog
      title={title}
      form={form}
      ok={t("act.save")}
      onSubmit={(values) => submit(values as object)}
      onClose={onClose}
    >
      <Field {...field} />
    </FormDialog>
  );
}

interface BatchExpireProps {
  readonly target: Target;
  readonly onStarted: (id: number) => void;
  readonly onClose: () => void;
}

/** One end for all selected accounts. */
export function BatchExpire({ target, onStarted, onClose }: BatchExpireProps) {
  const t = useAccountTexts();
  return (
    <CallDialog
      endpoint={accountBatchEnd}
      open
      title={t("account.batchExpireOf", { count: target.count })}
      initial={{ ...target.input, expire: null }}
      ok={t("act.save")}
      touches={[]}
      onAnswer={({ id }) => onStarted(id)}
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
