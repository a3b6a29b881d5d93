import { useTexts } from "#client/texts.ts";
import { healthMessages } from "#parts/health/messages.ts";
import { nodeMessages } from "./messages.ts";

/** Texts of this folder. */
export const useNodeTexts = () => useTexts(nodeMessages, healthMessages);
export type NodeTexts = ReturnType<typeof useNodeTexts>;
