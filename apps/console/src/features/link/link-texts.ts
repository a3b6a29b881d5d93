import { nodeMessages } from "#kernel/node/messages.ts";
import { useTexts } from "#kernel/texts.ts";
import { linkMessages } from "./messages.ts";

export const useLinkTexts = () => useTexts(linkMessages, nodeMessages);
export type LinkTexts = ReturnType<typeof useLinkTexts>;
