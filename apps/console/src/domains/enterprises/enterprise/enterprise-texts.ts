import type { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { useTexts } from "#client/texts.ts";
import { enterpriseMessages } from "./messages.ts";

export type EnterpriseRow = RowOf<typeof enterprise>;
export type EnterpriseDraft = DraftOf<typeof enterprise>;

export const useEnterpriseTexts = () => useTexts(enterpriseMessages);
export type EnterpriseTexts = ReturnType<typeof useEnterpriseTexts>;
