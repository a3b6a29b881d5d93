import { routerTemplate } from "@weft/contract/domains/templates/router-template.ts";
import type { z } from "zod";
import { call } from "#client/call.ts";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { Field } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { FormDialog } from "#parts/form-dialog.tsx";
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
  const form = useDraft(routerTemplate.draft, {
    templateName: row?.temName ?? "",
    remark: row?.remark ?? "",
  });
  const submit = async (draft: Draft): Promise<void> => {
    const { add, edit } = routerTemplate.ops;
    if (row === null) await call(add, draft);
    else await call(edit, { ...draft, templateId: row.templateId });
    toast.done();
    invalidate(routerTemplate.name);
    onClose();
  };
  return (
    <FormDialog
      title={row === null ? t("tem.add") : t("tem.editOf", { name: row.temName })}
      form={form}
      ok={t("act.save")}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field name="templateName" />
      <Field name="remark" />
    </FormDialog>
  );
}
