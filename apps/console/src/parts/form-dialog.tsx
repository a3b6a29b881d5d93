import type { ReactNode } from "react";
import type { z } from "zod";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import type { Draft, DraftSchema } from "#kernel/form/use-draft.ts";
import { Modal } from "#ui/overlay/modal.tsx";
import { DialogFoot } from "./fields/submit.tsx";

interface Props<Schema extends DraftSchema> {
  readonly title: string;
  readonly form: Draft<Schema>;
  /** The verb of the button. */
  readonly ok: string;
  /** As DraftForm's. */
  readonly onSubmit: (values: z.output<Schema>) => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** An open dialog around few fields, for forms that are more than one call's input (call-dialog.tsx). */
export function FormDialog<Schema extends DraftSchema>(props: Props<Schema>) {
  const { title, form, ok, onSubmit, onClose, children } = props;
  return (
    <Modal open title={title} width={460} footer={null} destroyOnHidden onCancel={onClose}>
      <DraftForm form={form} onSubmit={onSubmit}>
        {children}
        <DialogFoot ok={ok} onClose={onClose} />
      </DraftForm>
    </Modal>
  );
}
