import { useTexts } from "#kernel/texts.ts";
import { commandMessages } from "./commands/messages.ts";

export const useCommandTexts = () => useTexts(commandMessages);
