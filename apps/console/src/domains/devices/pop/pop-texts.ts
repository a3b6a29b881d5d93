import type { pop } from "@weft/contract/domains/devices/pop.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { useTexts } from "#client/texts.ts";
import { nodeMessages } from "#domains/devices/parts/node/messages.ts";
import { healthMessages } from "#parts/health/messages.ts";
import { popMessages } from "./messages.ts";

export type PopRow = RowOf<typeof pop>;
export type PopDraft = DraftOf<typeof pop>;

export const usePopTexts = () => useTexts(popMessages, nodeMessages, healthMessages);
export type PopTexts = ReturnType<typeof usePopTexts>;
