import { routerTemplateCombo } from "@weft/contract/domains/templates/router-template.ts";
import { useNumberParam } from "#client/paths.ts";
import { useCall } from "#client/use-call.ts";

/** A template as far as its sections have to know it. */
export interface TemplateChoice {
  readonly templateId: number;
  readonly templateName: string;
}

/** The template that the address selects (`?templateId=`). */
export const useSelectedTemplate = () => {
  const templateId = useNumberParam("templateId");
  const result = useCall(routerTemplateCombo, templateId === null ? null : {});
  const template = result.data?.find((one) => one.templateId === templateId) ?? null;
  return { templateId, template, result };
};
