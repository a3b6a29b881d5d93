import { routerTemplate } from "@weft/contract/resources/router-template.ts";
import { useState } from "react";
import type { z } from "zod";
import { call } from "#kernel/call.ts";
import { useToast } from "#kernel/feedback/toast.tsx";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { Modal } from "#kernel/overlay/modal.tsx";
import { useInvalidate } from "#kernel/use-action.ts";
import { type TemplateRow, useTemplateTexts } from "./template-texts.ts";

type Draft = z.output<typeof routerTemplate.draft>;

interface Props {
  /** null: a new one. */
  readonly row: TemplateRow | null;
  readonly onClose: () => void;
}

/** Name and remark of a template; it stays open with what was typed when the call fails. */
export function TemplateForm({ row, onClose }: Props) {
  const t = useTemplateTexts();
  const toast = useToast();
  const invalidate = useInvalidate();
  const [isActing, setActing] = useState(false);
  const form = useDraft(routerTemplate.draft, {
    templateName: row?.temName ?? "",
    remark: row?.remark ?? "",
  });
  const submit = async (draft: Draft): Promise<void> => {
    setActing(true);
    try {
      const { add, edit } = routerTemplate.ops;
      if (row === null) await call(add, draft);
      else await call(edit, { ...draft, templateId: row.templateId });
      toast.done();
      invalidate(routerTemplate.name);
      onClose();
    } finally {
      setActing(false);
    }
  };
  return (
    <Modal
      open
      width={460}
      title={row === null ? t("tem.add") : t("tem.editOf", { name: row.temName })}
      okText={t("act.save")}
      cancelText={t("act.cancel")}
      confirmLoading={isActing}
      okButtonProps={{ htmlType: "submit", form: "template-form" }}
      onCancel={onClose}
      destroyOnHidden
    >
      <DraftForm id="template-form" form={form} onSubmit={submit}>
        <Field name="templateName" />
        <Field name="remark" />
      </DraftForm>
    </Modal>
  );
}
