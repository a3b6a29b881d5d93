import type { apiKey } from "@weft/contract/domains/access/api-key.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { useTexts } from "#client/texts.ts";
import { apiKeyMessages } from "./messages.ts";

export type ApiKeyRow = RowOf<typeof apiKey>;

/** Texts of this folder. */
export const useApiKeyTexts = () => useTexts(apiKeyMessages);
export type ApiKeyTexts = ReturnType<typeof useApiKeyTexts>;
