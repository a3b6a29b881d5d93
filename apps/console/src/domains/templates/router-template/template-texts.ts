import type {
  routerTemplate,
  routerTemplateCpes,
  routerTemplateLogList,
} from "@weft/contract/domains/templates/router-template.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { useTexts } from "#client/texts.ts";
import { templateMessages } from "#domains/templates/parts/template/messages.ts";
import { versionMessages } from "#domains/templates/parts/template/version-messages.ts";
import { routerTemplateMessages } from "./messages.ts";

export type TemplateRow = RowOf<typeof routerTemplate>;
export type TemplateCpe = OutputOf<typeof routerTemplateCpes>[number];
export type TemplateLog = OutputOf<typeof routerTemplateLogList>[number];

/** Texts of this folder. */
export const useTemplateTexts = () =>
  useTexts(routerTemplateMessages, templateMessages, versionMessages);
export type TemplateTexts = ReturnType<typeof useTemplateTexts>;
