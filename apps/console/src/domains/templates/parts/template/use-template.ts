import {
  routerTemplateCombo,
  routerTemplateIssue,
} from "@weft/contract/domains/templates/router-template.ts";
import { useNumberParam } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { templateMessages } from "./messages.ts";

/** A template as far as its sections have to know it. */
export interface TemplateChoice {
  readonly templateId: number;
  readonly templateName: string;
}

/** The template that the address selects (`?templateId=`). */
export const useSelectedTemplate = () => {
  const templateId = useNumberParam("templateId");
  const asked = useCall(routerTemplateCombo, templateId === null ? null : {});
  const template = asked.data?.find((one) => one.templateId === templateId) ?? null;
  return { templateId, template, asked };
};

/** Issues templates after asking. True: they are on their way. */
export const useIssue = (): ((templates: readonly TemplateChoice[]) => Promise<boolean>) => {
  const t = useTexts(templateMessages);
  const confirm = useConfirm();
  const { act } = useAction(routerTemplateIssue, {
    touches: ["routerTemplateLog", "task", "nodeState", "cpe"],
    done: t("template.published"),
  });
  return async (templates) => {
    const [first] = templates;
    if (first === undefined) return false;
    const isMeant = await confirm({
      title:
        templates.length === 1
          ? t("template.issueTitle", { name: first.templateName })
          : t("template.issueTitleMany", { count: templates.length }),
      body: t("template.issueBody"),
      ok: t("template.issue"),
    });
    if (!isMeant) return false;
    return (await act({ templateId: templates.map(({ templateId }) => templateId) })) !== null;
  };
};
