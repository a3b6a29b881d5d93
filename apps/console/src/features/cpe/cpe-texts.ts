import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import type { cpe } from "@weft/contract/resources/cpe.ts";
import type { lanSection } from "@weft/contract/resources/lan-section.ts";
import { nodeMessages } from "#kernel/node/messages.ts";
import { useTexts } from "#kernel/texts.ts";
import { cpeMessages } from "./messages.ts";

export type CpeRow = RowOf<typeof cpe>;
export type LanRow = RowOf<typeof lanSection>;
export type CpeDraft = DraftOf<typeof cpe>;

export const useCpeTexts = () => useTexts(cpeMessages, nodeMessages);
export type CpeTexts = ReturnType<typeof useCpeTexts>;
