import { useTexts } from "#client/texts.ts";
import { nodeMessages } from "#domains/devices/parts/node/messages.ts";
import { healthMessages } from "#parts/health/messages.ts";
import { linkMessages } from "./messages.ts";

export const useLinkTexts = () => useTexts(linkMessages, nodeMessages, healthMessages);
export type LinkTexts = ReturnType<typeof useLinkTexts>;
